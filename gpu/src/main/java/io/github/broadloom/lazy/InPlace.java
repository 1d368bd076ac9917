package io.github.broadloom.lazy;

import io.github.broadloom.device.Device;
import io.github.broadloom.device.Devices;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.InPlaceRules;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Op;
import io.github.broadloom.tensor.Tensor;

/**
 * Operations that write over their first operand, as PyTorch's {@code add_} and its family. Every view of the storage
 * sees the change. The operands may share memory: the result is as if the others had been copied first.
 */
public final class InPlace {
    private InPlace() {}

    /**
     * {@code target.op_(other)}.
     *
     * @param other a tensor whose shape broadcasts to the target's
     * @return the target
     * @throws IllegalArgumentException with PyTorch's text, for dtypes, layouts and shapes that PyTorch refuses; nothing
     *     is written then
     */
    public static Tensor apply(Op op, Tensor target, Tensor other) {
        return write(target, InPlaceRules.apply(op, target.layout(), Input.of(target), Input.of(other)));
    }

    /** {@code target.op_(number)}, with a plain number: see {@link #apply(Op, Tensor, Tensor)}. */
    public static Tensor apply(Op op, Tensor target, Number number) {
        return write(target, InPlaceRules.apply(op, target.layout(), Input.of(target), Expr.literal(number)));
    }

    /** {@code target.copy_(source)}: cast and broadcast; the checks are those of {@link #apply(Op, Tensor, Tensor)}. */
    public static Tensor copy(Tensor target, Tensor source) {
        return write(target, InPlaceRules.copy(target.layout(), target.dtype(), Input.of(source)));
    }

    private static Tensor write(Tensor target, Expr result) {
        if (result instanceof Input input && input.source() instanceof Tensor source) {
            target.assign(source);
            return target;
        }
        Tensor computed = Devices.backend(Device.CPU).evaluate(result);
        target.assign(computed);
        computed.storage().release();
        return target;
    }
}
