package io.github.broadloom.expr;

import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The elements of arguments that decide what an expression is, so that they are read when it is built, as PyTorch does. */
final class KnownValues {
    private KnownValues() {}

    /**
     * The elements in row-major order.
     *
     * @throws IllegalArgumentException where they are computed later, or lie on a cluster
     */
    static List<Object> of(Expr argument, String function, String name) {
        if (argument instanceof Literal literal) {
            return List.of(literal.value());
        }
        return tensor(argument, function, name).values();
    }

    /** Whether the elements of an argument can be read now. */
    static boolean areOf(Expr argument) {
        return argument instanceof Input input
                && (input.source() instanceof Tensor || input.source() instanceof KnownTensor);
    }

    /** The elements of an argument, on the CPU: where they cannot be read now, those that {@code values} computes. */
    static Tensor tensor(Expr argument, Function<Expr, Tensor> values) {
        return areOf(argument) ? tensor(argument, "index", "a mask") : values.apply(argument);
    }

    /**
     * As {@link #tensor(Expr, Function)}, where nothing may compute values.
     *
     * @throws IllegalArgumentException where they cannot be read now, and {@code values} is null
     */
    static Tensor computed(Expr argument, String function, String name, @Nullable Function<Expr, Tensor> values) {
        return values == null ? tensor(argument, function, name) : tensor(argument, values);
    }

    /**
     * The tensor behind an argument, on the CPU.
     *
     * @throws IllegalArgumentException where its elements are computed later, or lie on a cluster
     */
    static Tensor tensor(Expr argument, String function, String name) {
        if (argument instanceof Input input && input.source() instanceof Tensor tensor) {
            input.requireUnchanged();
            return tensor.to(Device.CPU);
        }
        if (argument instanceof Input input && input.source() instanceof KnownTensor known) {
            return known.unchanged().to(Device.CPU);
        }
        throw new IllegalArgumentException(
                "Cannot call " + function + ": the values of " + name
                        + " are not known yet, and the result depends on them; give plain numbers, or a tensor of this machine");
    }
}
