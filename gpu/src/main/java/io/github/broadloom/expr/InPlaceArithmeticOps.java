package io.github.broadloom.expr;

import io.github.broadloom.tensor.Tensor;

/** Arithmetic that writes over this handle, as {@link ArithmeticOps} without the underscore; part of {@link InPlaceOps}. */
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

    /** Divides and rounds down; an integer by zero gives 0. */
    default T floorDivide_(T other) {
        return apply_(Ops.FLOOR_DIVIDE, other);
    }

    /** Divides and rounds down; an integer by zero gives 0. */
    default T floorDivide_(Tensor other) {
        return apply_(Ops.FLOOR_DIVIDE, other);
    }

    /** Divides and rounds down; an integer by zero gives 0. */
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

    /** Leaves the angle of the point (x = the other, y = this), in radians. */
    default T atan2_(T other) {
        return apply_(Ops.ATAN2, other);
    }

    /** Leaves the angle of the point (x = the other, y = this), in radians. */
    default T atan2_(Tensor other) {
        return apply_(Ops.ATAN2, other);
    }

    /** Leaves the angle of the point (x = the other, y = this), in radians. */
    default T atan2_(Number other) {
        return apply_(Ops.ATAN2, other);
    }

    /** Leaves the length of the hypotenuse. */
    default T hypot_(T other) {
        return apply_(Ops.HYPOT, other);
    }

    /** Leaves the length of the hypotenuse. */
    default T hypot_(Tensor other) {
        return apply_(Ops.HYPOT, other);
    }

    /** Leaves the length of the hypotenuse. */
    default T hypot_(Number other) {
        return apply_(Ops.HYPOT, other);
    }

    /** Takes the other's sign. */
    default T copysign_(T other) {
        return apply_(Ops.COPYSIGN, other);
    }

    /** Takes the other's sign. */
    default T copysign_(Tensor other) {
        return apply_(Ops.COPYSIGN, other);
    }

    /** Takes the other's sign. */
    default T copysign_(Number other) {
        return apply_(Ops.COPYSIGN, other);
    }
}
