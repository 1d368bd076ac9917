package io.github.broadloom.expr;

import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.List;

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
        if (argument instanceof Input input && input.source() instanceof Tensor tensor) {
            input.requireUnchanged();
            return tensor.to(Device.CPU).values();
        }
        throw new IllegalArgumentException(
                "Cannot call " + function + ": the values of " + name
                        + " are not known yet, and the result depends on them; give plain numbers, or a tensor of this machine");
    }
}
