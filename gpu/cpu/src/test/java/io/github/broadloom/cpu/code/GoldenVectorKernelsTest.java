package io.github.broadloom.cpu.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.cpu.code.DirectKernel.Reach;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.expr.rewrite.Simplifier;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fastest kernels of the CPU, to be read: {@code src/test/resources/kernels}. What they compute is the matter of other tests. */
class GoldenVectorKernelsTest {
    private static final Map<String, Expr> NAMES = Map.of(
            "x", input(DType.FLOAT32, 512, 3, 224, 224),
            "mean", input(DType.FLOAT32, 3, 1, 1),
            "half", input(DType.FLOAT16, 1000, 1000),
            "scale", input(DType.FLOAT32, 1000, 1),
            "a", input(DType.FLOAT32, 1000, 1, 128),
            "b", input(DType.FLOAT32, 500, 128));

    @ParameterizedTest
    @CsvSource({
        "direct.java, (x - mean) * 0.5, IN_BUFFERS",
        "direct-segments.java, (x - mean) * 0.5, IN_SEGMENTS",
        "direct-by-pieces.java, exp(x - mean), BY_PIECES",
        "direct-halves.java, half * scale, IN_BUFFERS"
    })
    void aKernelThatReadsMemoryIsAsAPersonWouldHaveWrittenIt(String name, String text, Reach reach) throws IOException {
        assertThat(DirectKernelRenderer.render(spec(text, Access.VARYING, Access.ROW), reach))
                .isEqualTo(resource(name));
    }

    /** Halves are written through an array, but what they are made of is read as segments. */
    @Test
    void aKernelThatReadsSegmentsAndWritesHalvesHasTheImport() {
        assertThat(DirectKernelRenderer.render(spec("float16(x * 0.5)", Access.VARYING), Reach.IN_SEGMENTS))
                .contains("MemorySegment m0 = ", "import java.lang.foreign.MemorySegment;")
                .doesNotContain("m1");
    }

    @Test
    void aKernelThatFoldsIsAsAPersonWouldHaveWrittenIt() throws IOException {
        assumeTrue(Runtime.version().feature() < 25, "JDK 25 inlines a group of rows in one loop");
        assertThat(FoldKernelRenderer.render(spec("(a - b) ** 2", Access.ROW, Access.VARYING), Reduction.SUM))
                .isEqualTo(resource("fold.java"));
    }

    private static Expr input(DType dtype, long... sizes) {
        return Input.of(new Object(), dtype, Shape.of(sizes));
    }

    private static KernelSpec spec(String text, Access... accesses) {
        return PointwiseProgram.of(Simplifier.simplify(ExprParser.parse(text, NAMES)))
                .spec()
                .over(List.of(accesses));
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = GoldenVectorKernelsTest.class.getResourceAsStream("/kernels/" + name)) {
            return in == null ? name + " is missing" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
