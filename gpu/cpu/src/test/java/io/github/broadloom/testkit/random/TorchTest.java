package io.github.broadloom.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.FloatInfo;
import io.github.broadloom.dtype.Ulps;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.expr.parse.ExprSyntaxException;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.testkit.random.RandomExprs.Proposal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations against PyTorch itself, where {@code python3}, or the interpreter that {@code -Dbroadloom.python}
 * names, has it; elsewhere the tests are skipped. Each operation is written in the string language, evaluated by both
 * sides, and compared within its row's ulp; the next one builds on PyTorch's result, so that no difference grows.
 */
class TorchTest {
    /** Operations of several steps, which PyTorch's vector code rounds, fuses or lets overflow in other ways. */
    private static final Set<String> STEPS = Set.of(
            "logaddexp",
            "logaddexp2",
            "logit",
            "lgamma",
            "sinc",
            "lerp",
            "addcmul",
            "addcdiv",
            "fmod",
            "remainder",
            "floor_divide");

    private static TorchProcess torch;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException, InterruptedException {
        torch = TorchProcess.start(folder).orElse(null);
        assumeTrue(torch != null, "PyTorch is not installed here");
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (torch != null) {
            torch.close();
        }
    }

    static LongStream seeds() {
        return Property.seeds(150);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void pyTorchSaysTheSame(long seed) throws IOException {
        RandomExprs random = new RandomExprs(seed);
        RandomTensors moves = new RandomTensors(seed);
        List<Expr> nodes = random.inputs();
        for (int step = 0; step < 25; step++) {
            Proposal proposal = moves.below(4) == 0
                    ? new RandomViewOps(moves).propose(nodes.get(moves.below(nodes.size())), nodes)
                    : random.propose(nodes);
            Map<Expr, String> names = new HashMap<>();
            Map<String, Tensor> tensors = new HashMap<>();
            for (Expr node : nodes) {
                names.put(node, "x" + names.size());
                tensors.put(names.get(node), (Tensor) ((Input) node).source());
            }
            String text = proposal.text(names);
            if (text.startsWith("clamp(")
                    && proposal.args().stream().anyMatch(Literal.class::isInstance)
                    && proposal.args().subList(1, 3).stream().anyMatch(Input.class::isInstance)) {
                continue; // Python's argument parser makes a plain number of a zero-dim tensor that stands beside one
            }
            tensors.keySet().removeIf(name -> !text.matches(".*\\b" + name + "\\b.*"));
            TorchProcess.Answer answer = torch.ask(text, tensors);
            if (!answer.isUntyped()) {
                compare(seed, text, tensors, answer);
            }
            if (!answer.isUntyped() && answer.error().isEmpty() && nodes.size() < 8) {
                nodes.add(Input.of(answer.tensor()));
            }
        }
    }

    private static void compare(long seed, String text, Map<String, Tensor> tensors, TorchProcess.Answer answer) {
        Map<String, Expr> inputs = new HashMap<>();
        tensors.forEach((name, tensor) -> inputs.put(name, Input.of(tensor)));
        String title = text + " with seed " + seed + " (run again with -D" + Property.SEED + "=" + seed + ") where\n"
                + tensors(tensors);
        final Expr expr;
        try {
            expr = ExprParser.parse(text, inputs);
        } catch (ExprSyntaxException refused) {
            Throwable cause = refused.getCause();
            String sentence = cause == null ? refused.getMessage() : cause.getMessage();
            assertThat(sentence).as(title).isEqualTo(answer.error().orElse("no refusal"));
            return;
        }
        if (answer.error().isPresent()) {
            assertThatThrownBy(() -> Devices.backend(Device.CPU).evaluate(expr), "%s", title)
                    .hasMessage(answer.error().get()); // of values, not of dtypes and shapes
            return;
        }
        Tensor expected = answer.tensor();
        Tensor got = Devices.backend(Device.CPU).evaluate(expr);
        assertThat(got.dtype()).as(title).isEqualTo(expected.dtype());
        assertThat(got.shape()).as(title).isEqualTo(expected.shape());
        for (int i = 0; i < got.numel(); i++) {
            Object ours = got.flatten().get(i);
            Object theirs = expected.flatten().get(i);
            if (!agrees(expr, ours, theirs)) {
                fail(title + "element " + i + ": PyTorch has " + theirs + ", we have " + ours);
            }
        }
    }

    private static String tensors(Map<String, Tensor> tensors) {
        StringBuilder out = new StringBuilder();
        tensors.forEach((name, tensor) -> out.append("  ")
                .append(name)
                .append(" = ")
                .append(tensor.dtype())
                .append(tensor.shape())
                .append(tensor.numel() > 64 ? "" : tensor.values())
                .append('\n'));
        return out.toString();
    }

    private static boolean agrees(Expr expr, Object ours, Object theirs) {
        if (ours.equals(theirs) || !(ours instanceof Double a) || !(theirs instanceof Double b)) {
            return ours.equals(theirs);
        }
        if (expr instanceof Reduce reduce) {
            boolean squared = reduce.reduction() == Reduction.VAR;
            return withinFold(reduce, reduce.operand(), reduce.reducedCount(), squared ? 2 : 1, a, b);
        }
        if (expr instanceof Along along) {
            return withinFold(along, along.operand(), along.lineLength(), 1, a, b);
        }
        int ulp = expr instanceof Apply apply ? apply.op().ulp() : 0;
        if (expr instanceof Apply apply && STEPS.contains(apply.op().name()) && withinSteps(expr.dtype(), a, b)) {
            return true;
        }
        if (Math.abs(b) == Double.POSITIVE_INFINITY && ulp > 0) { // PyTorch's cosh(float32) overflows at 2e38 already
            return b * a > 0 && Math.abs(a) > FloatInfo.of(expr.dtype()).max() / 4;
        }
        boolean finite = Math.abs(a) <= Double.MAX_VALUE && Math.abs(b) <= Double.MAX_VALUE;
        return a.doubleValue() == b || finite && Ulps.between(a, b, expr.dtype()) <= ulp;
    }

    /** A loose bound; the vectors have the close one. A NaN is the vector code's, where a quotient overflows. */
    private static boolean withinSteps(DType dtype, double ours, double theirs) {
        return Double.isNaN(theirs)
                || Math.abs(ours - theirs) <= 1000 * FloatInfo.of(dtype).eps() * Math.max(1, Math.abs(theirs));
    }

    /**
     * Sums differ by the order of their terms: by less than all rounding errors together; near an overflow anything
     * goes.
     */
    private static boolean withinFold(Expr fold, Expr operand, long count, int power, double ours, double theirs) {
        FloatInfo info = FloatInfo.of(fold.dtype());
        Tensor terms = Devices.backend(Device.CPU).evaluate(Expr.cast(operand, DType.FLOAT64));
        double largest = 0;
        for (Object term : terms.values()) {
            double magnitude = Math.abs((Double) term);
            largest = magnitude > largest ? magnitude : largest; // and NaN is not
        }
        double total = Math.max(Math.pow(largest, power), Math.abs(theirs)) * Math.max(1, count);
        return total > info.max() / 4 || Math.abs(ours - theirs) <= 4 * total * info.eps() + info.tiny();
    }
}
