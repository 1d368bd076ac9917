package io.github.broadloom.expr;

import io.github.broadloom.tensor.Tensor;

/** Arithmetic with a tensor of the same kind, a local tensor or a plain number; part of {@link TensorOps}. */
public interface ArithmeticOps<T extends TensorOps<T>> extends OpsBase<T> {
    /** The sum; of bools, or. */
    default T add(T other) {
        return apply(Ops.ADD, other);
    }

    /** The sum; of bools, or. */
    default T add(Tensor other) {
        return apply(Ops.ADD, other);
    }

    /** The sum; of bools, or. */
    default T add(Number other) {
        return apply(Ops.ADD, other);
    }

    /** The difference; bools are refused. */
    default T sub(T other) {
        return apply(Ops.SUB, other);
    }

    /** The difference; bools are refused. */
    default T sub(Tensor other) {
        return apply(Ops.SUB, other);
    }

    /** The difference; bools are refused. */
    default T sub(Number other) {
        return apply(Ops.SUB, other);
    }

    /** The product; of bools, and. */
    default T mul(T other) {
        return apply(Ops.MUL, other);
    }

    /** The product; of bools, and. */
    default T mul(Tensor other) {
        return apply(Ops.MUL, other);
    }

    /** The product; of bools, and. */
    default T mul(Number other) {
        return apply(Ops.MUL, other);
    }

    /** The true quotient; of integers a float32. */
    default T div(T other) {
        return apply(Ops.DIV, other);
    }

    /** The true quotient; of integers a float32. */
    default T div(Tensor other) {
        return apply(Ops.DIV, other);
    }

    /** The true quotient; of integers a float32. */
    default T div(Number other) {
        return apply(Ops.DIV, other);
    }

    /** The quotient rounded down; of an integer and zero, 0. */
    default T floorDivide(T other) {
        return apply(Ops.FLOOR_DIVIDE, other);
    }

    /** The quotient rounded down; of an integer and zero, 0. */
    default T floorDivide(Tensor other) {
        return apply(Ops.FLOOR_DIVIDE, other);
    }

    /** The quotient rounded down; of an integer and zero, 0. */
    default T floorDivide(Number other) {
        return apply(Ops.FLOOR_DIVIDE, other);
    }

    /** Python's %: the remainder with the divisor's sign; of an integer and zero, 0. */
    default T remainder(T other) {
        return apply(Ops.REMAINDER, other);
    }

    /** Python's %: the remainder with the divisor's sign; of an integer and zero, 0. */
    default T remainder(Tensor other) {
        return apply(Ops.REMAINDER, other);
    }

    /** Python's %: the remainder with the divisor's sign; of an integer and zero, 0. */
    default T remainder(Number other) {
        return apply(Ops.REMAINDER, other);
    }

    /** C's fmod: the remainder with the dividend's sign; of an integer and zero, 0. */
    default T fmod(T other) {
        return apply(Ops.FMOD, other);
    }

    /** C's fmod: the remainder with the dividend's sign; of an integer and zero, 0. */
    default T fmod(Tensor other) {
        return apply(Ops.FMOD, other);
    }

    /** C's fmod: the remainder with the dividend's sign; of an integer and zero, 0. */
    default T fmod(Number other) {
        return apply(Ops.FMOD, other);
    }

    /** The power; exponent 2 is x * x, and integers to negative exponents give 0, or ±1 of ±1. */
    default T pow(T other) {
        return apply(Ops.POW, other);
    }

    /** The power; exponent 2 is x * x, and integers to negative exponents give 0, or ±1 of ±1. */
    default T pow(Tensor other) {
        return apply(Ops.POW, other);
    }

    /** The power; exponent 2 is x * x, and integers to negative exponents give 0, or ±1 of ±1. */
    default T pow(Number other) {
        return apply(Ops.POW, other);
    }

    /** The angle of the point (x = second, y = first) in radians, in [-pi, pi]. */
    default T atan2(T other) {
        return apply(Ops.ATAN2, other);
    }

    /** The angle of the point (x = second, y = first) in radians, in [-pi, pi]. */
    default T atan2(Tensor other) {
        return apply(Ops.ATAN2, other);
    }

    /** The angle of the point (x = second, y = first) in radians, in [-pi, pi]. */
    default T atan2(Number other) {
        return apply(Ops.ATAN2, other);
    }

    /** The length of the hypotenuse, without overflow on the way. */
    default T hypot(T other) {
        return apply(Ops.HYPOT, other);
    }

    /** The length of the hypotenuse, without overflow on the way. */
    default T hypot(Tensor other) {
        return apply(Ops.HYPOT, other);
    }

    /** The length of the hypotenuse, without overflow on the way. */
    default T hypot(Number other) {
        return apply(Ops.HYPOT, other);
    }

    /** The magnitude of the first with the sign of the second. */
    default T copysign(T other) {
        return apply(Ops.COPYSIGN, other);
    }

    /** The magnitude of the first with the sign of the second. */
    default T copysign(Tensor other) {
        return apply(Ops.COPYSIGN, other);
    }

    /** The magnitude of the first with the sign of the second. */
    default T copysign(Number other) {
        return apply(Ops.COPYSIGN, other);
    }

    /** The greater of two; NaN where one is NaN. */
    default T maximum(T other) {
        return apply(Ops.MAXIMUM, other);
    }

    /** The greater of two; NaN where one is NaN. */
    default T maximum(Tensor other) {
        return apply(Ops.MAXIMUM, other);
    }

    /** The greater of two; NaN where one is NaN. */
    default T maximum(Number other) {
        return apply(Ops.MAXIMUM, other);
    }

    /** The smaller of two; NaN where one is NaN. */
    default T minimum(T other) {
        return apply(Ops.MINIMUM, other);
    }

    /** The smaller of two; NaN where one is NaN. */
    default T minimum(Tensor other) {
        return apply(Ops.MINIMUM, other);
    }

    /** The smaller of two; NaN where one is NaN. */
    default T minimum(Number other) {
        return apply(Ops.MINIMUM, other);
    }

    /** The value with the other sign; bools are refused. */
    default T neg() {
        return apply(Ops.NEG);
    }

    /** The magnitude; of the smallest integer, itself. */
    default T abs() {
        return apply(Ops.ABS);
    }

    /** -1, 0 or 1, by the sign; 0 of NaN. */
    default T sign() {
        return apply(Ops.SIGN);
    }

    /** The value times itself. */
    default T square() {
        return apply(Ops.SQUARE);
    }

    /** The value, or 0 where it is below; NaN of NaN. */
    default T relu() {
        return apply(Ops.RELU);
    }

    /** Rounded down. */
    default T floor() {
        return apply(Ops.FLOOR);
    }

    /** Rounded up. */
    default T ceil() {
        return apply(Ops.CEIL);
    }

    /** Rounded to the nearest, halves to even. */
    default T round() {
        return apply(Ops.ROUND);
    }

    /** Rounded towards zero. */
    default T trunc() {
        return apply(Ops.TRUNC);
    }

    /** The part behind the point, with the value's sign. */
    default T frac() {
        return apply(Ops.FRAC);
    }
}
