package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.RandomExprs;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kernels that an explanation names are those that an evaluation compiles: each of them, and no other. */
class ExplainedKernelsTest {
    private static final Pattern KERNEL = Pattern.compile("kernel (\\w+)");

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void ofRandomExpressions(long seed) {
        assertExplained(RandomExprs.of(seed));
    }

    static Stream<String> texts() {
        return Stream.of(
                "sum((a - b) ** 2, -1)", // folds in registers
                "amin(sum((a - b) ** 2, -1), 1)", // by blocks of rows, the last of which is shorter
                "amin(sum((a - b) ** 2, -1), 0)",
                "mean(c, 1) + std(c, 1)", // in one pass
                "where(c > m, c * 2, m)", // in place
                "c + transpose(c, 0, 1)", // by blocks
                "cat((c + 1, c[:7] * 2), 0)",
                "cumsum(c * 2, 1) + median(c + 1, 1, True)",
                "matmul(c + 1, c * 2) + m",
                "flip(sum(c, 0), (0,))");
    }

    @ParameterizedTest
    @MethodSource("texts")
    void ofEveryKind(String text) {
        assertExplained(ExprParser.parse(text, tensors()));
    }

    /** Of operands so large that inner results are computed in blocks of rows: a reduction of a reduction, and what is made of it. */
    static Stream<String> randomTextsOfLargeOperands() {
        return LongStream.range(0, 12).mapToObj(seed -> {
            Random random = new Random(seed);
            String pairs = pick(
                    random,
                    "(a - b) ** 2",
                    "abs(a - b)",
                    "where(a > b, a, b * 2)",
                    "exp(a - b) + c.unsqueeze(-1)[:, :1010]");
            String inner = pick(random, "sum", "amax", "mean", "std", "argmin") + "(" + pairs + ", -1)";
            String outer = pick(random, "amin", "sum", "argmax", "prod") + "(" + inner + ", " + random.nextInt(2) + ")";
            return pick(random, outer, "sqrt(abs(" + outer + "))", outer + " + " + outer, "sum(" + outer + ")");
        });
    }

    @ParameterizedTest
    @MethodSource("randomTextsOfLargeOperands")
    @Tag("full")
    void ofRandomExpressionsOfLargeOperands(String text) {
        assertExplained(ExprParser.parse(text, tensors()));
    }

    private static String pick(Random random, String... texts) {
        return texts[random.nextInt(texts.length)];
    }

    private static Map<String, Expr> tensors() {
        return Map.of(
                "a", Input.of(Tensors.ones(1100, 1, 24)),
                "b", Input.of(Tensors.ones(1, 1010, 24)),
                "c", Input.of(Tensors.ones(1100, 1100)),
                "m", Input.of(Tensors.ones(1100)));
    }

    private static void assertExplained(Expr expr) {
        CpuBackend backend = new CpuBackend();
        String before = backend.explain(expr, Detail.PLAN);
        assertThat(backend.kernelStats().misses()).isZero();
        backend.evaluate(expr).release();
        String after = backend.explain(expr, Detail.PLAN);
        assertThat(after).doesNotContain("compiled when first run");
        assertThat(backend.kernelStats().misses())
                .as(after)
                .isEqualTo(kernels(after).size());
        assertThat(kernels(before)).isEqualTo(kernels(after));
    }

    private static TreeSet<String> kernels(String explanation) {
        return KERNEL.matcher(explanation)
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
