package io.github.broadloom.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.spark.Bits;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NpyFileTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT64", "INT16", "BOOL"})
    void rowsOfAFortranOrderedFileAreGatheredFromTheirPlaces(DType dtype) throws IOException {
        Tensor columns = Tensors.arange(120).view(4, 5, 6).to(dtype);
        Tensor x = columns.permute(2, 1, 0);
        Path path = folder.resolve("f.npy");
        Npy.write(x, path, WriteMode.CREATE);
        NpyFile file = NpyFile.open(Location.of(path.toString(), new Configuration()));
        assertThat(file.isFortran()).isTrue();
        NpyReader reader = new NpyReader(new NpyFile[] {file}, file.shape());
        Bits.assertSame(reader.read(0, 6), x);
        Bits.assertSame(reader.read(2, 5), x.narrow(0, 2, 3));
    }
}
