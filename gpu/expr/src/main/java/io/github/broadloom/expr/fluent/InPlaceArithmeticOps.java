package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Rounding;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;

/**
 * Arithmetic that writes over this handle, as {@link ArithmeticOps} without the underscore; part of {@link InPlaceOps}.
 */
public interface InPlaceArithmeticOps<T extends TensorOps<T>> extends InPlaceBase<T> {
    /** Adds the other; to bools, or. */
    default T add_(T other) {
        return apply_(Ops.ADD, other);
    }

    /** Adds the other; to bools, or. */
    default T add_(Tensor other) {
        return apply_(Ops.ADD, other);
    }

    /** Adds the other; to bools, or. */
    default T add_(Number other) {
        return apply_(Ops.ADD, other);
    }

    /**
     * Adds alpha times the other; bools, or.
     *
     * @param alpha for integers an integer, as in PyTorch
     */
    default T add_(T other, Number alpha) {
        return applyScaled_(Ops.ADD, other, alpha);
    }

    /**
     * Adds alpha times the other; bools, or.
     *
     * @param alpha for integers an integer, as in PyTorch
     */
    default T add_(Tensor other, Number alpha) {
        return applyScaled_(Ops.ADD, other, alpha);
    }

    /** Subtracts the other; bools are refused. */
    default T sub_(T other) {
        return apply_(Ops.SUB, other);
    }

    /** Subtracts the other; bools are refused. */
    default T sub_(Tensor other) {
        return apply_(Ops.SUB, other);
    }

    /** Subtracts the other; bools are refused. */
    default T sub_(Number other) {
        return apply_(Ops.SUB, other);
    }

    /**
     * Subtracts alpha times the other; bools are refused.
     *
     * @param alpha for integers an integer, as in PyTorch
     */
    default T sub_(T other, Number alpha) {
        return applyScaled_(Ops.SUB, other, alpha);
    }

    /**
     * Subtracts alpha times the other; bools are refused.
     *
     * @param alpha for integers an integer, as in PyTorch
     */
    default T sub_(Tensor other, Number alpha) {
        return applyScaled_(Ops.SUB, other, alpha);
    }

    /** Multiplies by the other; bools, and. */
    default T mul_(T other) {
        return apply_(Ops.MUL, other);
    }

    /** Multiplies by the other; bools, and. */
    default T mul_(Tensor other) {
        return apply_(Ops.MUL, other);
    }

    /** Multiplies by the other; bools, and. */
    default T mul_(Number other) {
        return apply_(Ops.MUL, other);
    }

    /** Divides by the other; the result is floating, so integers are refused. */
    default T div_(T other) {
        return apply_(Ops.DIV, other);
    }

    /** Divides by the other; the result is floating, so integers are refused. */
    default T div_(Tensor other) {
        return apply_(Ops.DIV, other);
    }

    /** Divides by the other; the result is floating, so integers are refused. */
    default T div_(Number other) {
        return apply_(Ops.DIV, other);
    }

    /** Divides and rounds. */
    default T div_(T other, Rounding rounding) {
        return apply_(rounding.division(), other);
    }

    /** Divides and rounds. */
    default T div_(Tensor other, Rounding rounding) {
        return apply_(rounding.division(), other);
    }

    /** Divides and rounds. */
    default T div_(Number other, Rounding rounding) {
        return apply_(rounding.division(), other);
    }

    /** Divides and rounds down; an integer divided by zero is an error. */
    default T floorDivide_(T other) {
        return apply_(Ops.FLOOR_DIVIDE, other);
    }

    /** Divides and rounds down; an integer divided by zero is an error. */
    default T floorDivide_(Tensor other) {
        return apply_(Ops.FLOOR_DIVIDE, other);
    }

    /** Divides and rounds down; an integer divided by zero is an error. */
    default T floorDivide_(Number other) {
        return apply_(Ops.FLOOR_DIVIDE, other);
    }

    /** Python's %: leaves the remainder with the divisor's sign. */
    default T remainder_(T other) {
        return apply_(Ops.REMAINDER, other);
    }

    /** Python's %: leaves the remainder with the divisor's sign. */
    default T remainder_(Tensor other) {
        return apply_(Ops.REMAINDER, other);
    }

    /** Python's %: leaves the remainder with the divisor's sign. */
    default T remainder_(Number other) {
        return apply_(Ops.REMAINDER, other);
    }

    /** C's fmod: leaves the remainder with the dividend's sign. */
    default T fmod_(T other) {
        return apply_(Ops.FMOD, other);
    }

    /** C's fmod: leaves the remainder with the dividend's sign. */
    default T fmod_(Tensor other) {
        return apply_(Ops.FMOD, other);
    }

    /** C's fmod: leaves the remainder with the dividend's sign. */
    default T fmod_(Number other) {
        return apply_(Ops.FMOD, other);
    }

    /** Raises to the power of the other. */
    default T pow_(T other) {
        return apply_(Ops.POW, other);
    }

    /** Raises to the power of the other. */
    default T pow_(Tensor other) {
        return apply_(Ops.POW, other);
    }

    /** Raises to the power of the other. */
    default T pow_(Number other) {
        return apply_(Ops.POW, other);
    }

    /** Adds value * tensor1 * tensor2, multiplied from the left. */
    default T addcmul_(T tensor1, T tensor2) {
        return apply_(Ops.ADDCMUL, tensor1, tensor2);
    }

    /** Adds value * tensor1 * tensor2, multiplied from the left. */
    default T addcmul_(T tensor1, T tensor2, Number value) {
        return apply_(Ops.ADDCMUL, tensor1, tensor2, value);
    }

    /** Adds value * tensor1 * tensor2, multiplied from the left. */
    default T addcmul_(Tensor tensor1, Tensor tensor2) {
        return apply_(Ops.ADDCMUL, tensor1, tensor2);
    }

    /** Adds value * tensor1 * tensor2, multiplied from the left. */
    default T addcmul_(Tensor tensor1, Tensor tensor2, Number value) {
        return apply_(Ops.ADDCMUL, tensor1, tensor2, value);
    }

    /** Adds value * tensor1 / tensor2, computed from the left; two integers are refused. */
    default T addcdiv_(T tensor1, T tensor2) {
        return apply_(Ops.ADDCDIV, tensor1, tensor2);
    }

    /** Adds value * tensor1 / tensor2, computed from the left; two integers are refused. */
    default T addcdiv_(T tensor1, T tensor2, Number value) {
        return apply_(Ops.ADDCDIV, tensor1, tensor2, value);
    }

    /** Adds value * tensor1 / tensor2, computed from the left; two integers are refused. */
    default T addcdiv_(Tensor tensor1, Tensor tensor2) {
        return apply_(Ops.ADDCDIV, tensor1, tensor2);
    }

    /** Adds value * tensor1 / tensor2, computed from the left; two integers are refused. */
    default T addcdiv_(Tensor tensor1, Tensor tensor2, Number value) {
        return apply_(Ops.ADDCDIV, tensor1, tensor2, value);
    }

    /** Goes to the end by a weight, exact at the weights 0 and 1. */
    default T lerp_(T end, T weight) {
        return apply_(Ops.LERP, end, weight);
    }

    /** Goes to the end by a weight, exact at the weights 0 and 1. */
    default T lerp_(T end, Number weight) {
        return apply_(Ops.LERP, end, weight);
    }

    /** Goes to the end by a weight, exact at the weights 0 and 1. */
    default T lerp_(Tensor end, Tensor weight) {
        return apply_(Ops.LERP, end, weight);
    }

    /** Goes to the end by a weight, exact at the weights 0 and 1. */
    default T lerp_(Tensor end, Number weight) {
        return apply_(Ops.LERP, end, weight);
    }
}
