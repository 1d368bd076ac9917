package io.github.broadloom.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.SomeOf;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.PreparedEvaluation;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.expr.parse.Printed;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What holds, bit for bit, for every expression; NaN counts as one value. */
class ExprPropertyTest {
    /** How many leaves a text may have: a shared node is written once for each use. */
    private static final long MAX_LEAVES = 300;

    static LongStream seeds() {
        return Property.seeds(400);
    }

    private static Tensor evaluate(Expr expr) {
        return Devices.backend(Device.CPU).evaluate(expr);
    }

    private static void assertSame(Tensor got, Tensor expected) {
        assertThat(got.dtype()).isEqualTo(expected.dtype());
        assertThat(got.shape()).isEqualTo(expected.shape());
        assertThat(got.values()).isEqualTo(expected.values());
    }

    @SomeOf(value = "seeds", oneIn = 2)
    void fusedIsTheSameAsOneOperationAtATime(long seed) {
        Property.check(seed, RandomExprs.of(seed), expr -> {
            Tensor fused = evaluate(expr);
            assertThat(fused.shape()).isEqualTo(expr.shape());
            assertThat(fused.dtype()).isEqualTo(expr.dtype());
            assertThat(fused.isContiguous()).isTrue();
            assertSame(fused, stepwise(expr));
        });
    }

    @SomeOf(value = "seeds", oneIn = 2)
    void whatIsPlannedOnceHasTheSameValuesEachTime(long seed) {
        Property.check(seed, RandomExprs.of(seed), expr -> {
            Map<Input, Tensor> copies = new IdentityHashMap<>();
            expr.inputs().forEach(input -> copies.put(input, ((Tensor) input.source()).copy()));
            Tensor values = Tensors.empty(expr.dtype(), expr.shape());
            try (PreparedEvaluation prepared = Devices.backend(Device.CPU).prepared(over(copies, expr), values)) {
                for (int run = 0; run < 3; run++) {
                    prepared.run();
                    assertSame(values, evaluate(over(copies, expr)));
                    copies.values().forEach(ExprPropertyTest::turn);
                }
            }
        });
    }

    private static Expr over(Map<Input, Tensor> tensors, Expr expr) {
        return expr.mapInputs(input -> tensors.containsKey(input) ? Input.of(tensors.get(input)) : input);
    }

    /** Puts the elements in the opposite order. */
    private static void turn(Tensor tensor) {
        if (tensor.rank() > 0) {
            tensor.copy_(tensor.flip(IntStream.range(0, tensor.rank()).toArray()));
        }
    }

    /** Every node on its own, from tensor to tensor. */
    private static Tensor stepwise(Expr root) {
        Map<Expr, Expr> done = new IdentityHashMap<>();
        Tensor last = null;
        for (Expr node : root.postOrder()) {
            if (node instanceof Input || node instanceof Literal) {
                done.put(node, node);
                continue;
            }
            List<Expr> children = node.children().stream().map(done::get).toList();
            last = evaluate(node.withChildren(children));
            done.put(node, Input.of(last));
        }
        return last == null ? evaluate(root) : last;
    }

    @SomeOf(value = "seeds", oneIn = 2)
    void whereAnOperandLiesDoesNotMatter(long seed) {
        Property.check(seed, RandomExprs.of(seed), expr -> {
            Expr copied = expr.mapInputs(input -> Input.of(((Tensor) input.source()).copy()));
            assertSame(evaluate(expr), evaluate(copied));
        });
    }

    @SomeOf(value = "seeds", oneIn = 2)
    void itsTextReadsBackAsTheSame(long seed) {
        Property.check(seed, RandomExprs.of(seed), expr -> {
            if (leaves(expr) > MAX_LEAVES) {
                return;
            }
            Map<Expr, String> names = new HashMap<>();
            Map<String, Expr> inputs = new HashMap<>();
            for (Input input : expr.inputs()) {
                names.put(input, "x" + names.size());
                inputs.put(names.get(input), input);
            }
            Expr read = ExprParser.parse(Printed.of(expr, names), inputs);
            assertThat(Printed.of(read, names)).isEqualTo(Printed.of(expr, names));
            assertSame(evaluate(read), evaluate(expr));
        });
    }

    private static long leaves(Expr expr) {
        Map<Expr, Long> leaves = new IdentityHashMap<>();
        for (Expr node : expr.postOrder()) {
            leaves.put(
                    node,
                    Math.max(1, node.children().stream().mapToLong(leaves::get).sum()));
        }
        return leaves.get(expr);
    }

    @SomeOf(value = "seeds", oneIn = 2)
    void itComesBackFromItsSerialisedForm(long seed) {
        Property.check(seed, RandomExprs.of(seed), expr -> {
            List<Input> inputs = expr.inputs();
            Expr slots = expr.mapInputs(input -> Input.of(inputs.indexOf(input), input.dtype(), input.shape()));
            Expr back = deserialised(serialised(slots)).mapInputs(slot -> inputs.get((Integer) slot.source()));
            assertThat(back.postOrder()).as("shared nodes stay shared").hasSameSizeAs(expr.postOrder());
            assertSame(evaluate(back), evaluate(expr));
        });
    }

    private static byte[] serialised(Expr expr) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(expr);
        }
        return bytes.toByteArray();
    }

    private static Expr deserialised(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return (Expr) in.readObject();
        }
    }

    @Test
    void aFailureShowsTheSmallestPartThatFailsAndTheSeed() {
        RandomTensors from = new RandomTensors(1);
        Expr x = Input.of(from.tensor(DType.INT32, Shape.of(2), RandomTensors.View.CONTIGUOUS));
        Expr square = ExprParser.parse("x * x", Map.of("x", x));
        Expr whole = ExprParser.parse("abs(s - 2) + 1", Map.of("s", square));
        Property noDifference =
                expr -> assertThat(Printed.of(expr, Map.of(x, "x"))).doesNotContain("-");
        assertThat(catchFailure(whole, noDifference))
                .contains("with seed 5 (run again with -Dbroadloom.seed=5)")
                .contains("y1 = (x0 * x0)  # int32[2]")
                .contains("y2 = (y1 - 2)  # int32[2]")
                .doesNotContain("abs");
    }

    private static String catchFailure(Expr expr, Property property) {
        try {
            Property.check(5, expr, property);
            return "no failure";
        } catch (AssertionError failure) {
            return failure.getMessage();
        }
    }
}
