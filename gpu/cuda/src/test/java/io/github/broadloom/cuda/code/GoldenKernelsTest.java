package io.github.broadloom.cuda.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.parse.ExprParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A kernel of each family, to be read: {@code src/test/resources/kernels}. What they compute is the matter of other tests. */
class GoldenKernelsTest {
    private static final Map<String, Expr> NAMES = Map.of(
            "x", Kernels.input(DType.FLOAT32, 512, 3, 224, 224),
            "mean", Kernels.input(DType.FLOAT32, 3, 1, 1),
            "half", Kernels.input(DType.FLOAT16, 1000, 1000),
            "image", Kernels.input(DType.UINT8, 1080, 1920, 3),
            "colour", Kernels.input(DType.FLOAT32, 3),
            "a", Kernels.input(DType.INT32, 300, 200),
            "across", Kernels.transposed(DType.INT32, 300, 200));

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "inner; (x - mean) * 0.5",
                "contiguous; half * 2 + half",
                "flat; image / 255 - colour",
                "tiled; a // across"
            })
    void aKernelIsAsAPersonWouldHaveWrittenIt(String family, String text) {
        CudaSource source = Kernels.source(ExprParser.parse(text, NAMES));
        assertThat(source.text()).isEqualTo(resource(family + ".cu"));
        assertThat(source.entry()).endsWith("_" + family);
    }

    private static String resource(String name) {
        try (InputStream in = GoldenKernelsTest.class.getResourceAsStream("/kernels/" + name)) {
            return in == null ? name + " is missing" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
