package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.Python;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Tensors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parquet of a tensor tells its shape to others: the lines of docs/dataframes.md read it. */
class ParquetInPythonTest {
    private static final Pattern PYTHON = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    @Test
    void pyarrowReadsTheTensor() throws Exception {
        Python.assumeHas("pyarrow");
        Matcher lines = PYTHON.matcher(Files.readString(Path.of("../docs/dataframes.md")));
        assertThat(lines.find()).isTrue();
        for (DType dtype : DType.values()) {
            LocalSpark.broadloom()
                    .tensor(Tensors.arange(120).to(dtype).view(20, 3, 2), 7)
                    .toDataFrame("index", "value")
                    .write()
                    .parquet(folder.resolve(dtype.toString()).toString());
        }
        String script = lines.group(1) + """

                import numpy as np, sys
                stored = {"uint8": "int16", "float16": "float32", "bfloat16": "float32"}
                for name in "float32 float64 float16 uint8 int8 int16 int32 int64 bool bfloat16".split():
                    x = read_tensor(sys.argv[1] + "/" + name)
                    assert x.dtype == stored.get(name, name), x.dtype
                    assert np.array_equal(x, np.arange(120).reshape(20, 3, 2).astype(stored.get(name, name))), name
                """;
        Python.succeeds(script, folder.toString());
    }
}
