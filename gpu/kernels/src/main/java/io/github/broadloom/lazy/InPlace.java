package io.github.broadloom.lazy;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.Threads;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.tensor.Aliasing;
import io.github.broadloom.tensor.Tensor;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Operations that write over a plain tensor, through any view, as PyTorch's {@code add_} and its family; all of them are
 * methods of {@link LazyTensor#of(Tensor)}. An operand is a {@link LazyTensor}, a {@link Tensor}, a Number or a
 * Boolean, and may share memory with the target: the result is as if it had been copied first. Each method returns the
 * target, and throws an {@link IllegalArgumentException} with PyTorch's text, or with NumPy's for a target that shares a read-only
 * buffer, before anything is written.
 */
public final class InPlace {
    private InPlace() {}

    /** {@code target.op_(others…)}. */
    public static Tensor apply_(Op op, Tensor target, Object... others) {
        LazyTensor.of(target).apply_(op, others);
        return target;
    }

    /** {@code target.add_(other)}. */
    public static Tensor add_(Tensor target, Object other) {
        return apply_(Ops.ADD, target, other);
    }

    /** {@code target.sub_(other)}. */
    public static Tensor sub_(Tensor target, Object other) {
        return apply_(Ops.SUB, target, other);
    }

    /** {@code target.mul_(other)}. */
    public static Tensor mul_(Tensor target, Object other) {
        return apply_(Ops.MUL, target, other);
    }

    /** {@code target.div_(other)}. */
    public static Tensor div_(Tensor target, Object other) {
        return apply_(Ops.DIV, target, other);
    }

    /**
     * Writes a value through the strides of a target. What it reads where it writes, at another place, is copied first;
     * nothing as large as the result is allocated, unless elements of the target may share a place.
     *
     * @param value of the target's dtype; its shape broadcasts to the target's
     */
    static void write(Expr value, Tensor target) {
        Backend backend = Devices.backend(target.device());
        if (target.layout().mayOverlapItself()) {
            Tensor computed = backend.evaluate(value, Threads.local());
            if (computed.rank() == 0) {
                target.fill_(computed); // PyTorch fills tensors that it refuses to copy to
            } else {
                target.copy_(computed);
            }
            computed.storage().release();
            return;
        }
        Map<Input, Tensor> copies = copiesOfCrossing(value, target);
        backend.evaluateInto(
                copies.isEmpty()
                        ? value
                        : value.mapInputs(input -> {
                            Tensor copy = copies.get(input);
                            return copy == null ? input : Input.of(copy);
                        }),
                target,
                Threads.local());
        target.storage().markWritten();
        copies.values().forEach(copy -> copy.storage().release());
    }

    /** Inputs of inner reductions do not count: those are computed before anything is written. */
    private static Map<Input, Tensor> copiesOfCrossing(Expr value, Tensor target) {
        Map<Input, Tensor> copies = new IdentityHashMap<>();
        for (Expr leaf : PointwiseProgram.of(value).leaves()) {
            if (leaf instanceof Input input
                    && input.source() instanceof Tensor read
                    && Aliasing.of(read, target) == Aliasing.CROSSING) {
                input.requireUnchanged();
                copies.put(input, read.copy());
            }
        }
        return copies;
    }
}
