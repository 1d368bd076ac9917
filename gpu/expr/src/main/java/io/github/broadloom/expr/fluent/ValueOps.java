package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.Compositions;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;

/** Sign, rounding and bounds; part of {@link TensorOps}. */
public interface ValueOps<T extends TensorOps<T>> extends OpsBase<T> {
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

    /**
     * Rounded to so many decimals, halves to even: x times a power of ten rounded, over that power. Negative ones round to tens and more.
     *
     * @throws IllegalArgumentException with PyTorch's text, for bools and integers
     */
    default T round(int decimals) {
        return withExpr(Compositions.round(expr(), (long) decimals));
    }

    /** Rounded towards zero. */
    default T trunc() {
        return apply(Ops.TRUNC);
    }

    /** The part behind the point, with the value's sign. */
    default T frac() {
        return apply(Ops.FRAC);
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

    /** The greater of two; the other where one is NaN. */
    default T fmax(T other) {
        return apply(Ops.FMAX, other);
    }

    /** The greater of two; the other where one is NaN. */
    default T fmax(Tensor other) {
        return apply(Ops.FMAX, other);
    }

    /** The greater of two; the other where one is NaN. */
    default T fmax(Number other) {
        return apply(Ops.FMAX, other);
    }

    /** The smaller of two; the other where one is NaN. */
    default T fmin(T other) {
        return apply(Ops.FMIN, other);
    }

    /** The smaller of two; the other where one is NaN. */
    default T fmin(Tensor other) {
        return apply(Ops.FMIN, other);
    }

    /** The smaller of two; the other where one is NaN. */
    default T fmin(Number other) {
        return apply(Ops.FMIN, other);
    }

    /** The first, held between min and max, of which max wins; NaN where one is NaN. */
    default T clamp(T min, T max) {
        return apply(Ops.CLAMP, min, max);
    }

    /** The first, held between min and max, of which max wins; NaN where one is NaN. */
    default T clamp(Tensor min, Tensor max) {
        return apply(Ops.CLAMP, min, max);
    }

    /** The first, held between min and max, of which max wins; NaN where one is NaN. */
    default T clamp(Number min, Number max) {
        return apply(Ops.CLAMP, min, max);
    }

    /** The first, or min where it is below; NaN where one is NaN. */
    default T clampMin(T other) {
        return apply(Ops.CLAMP_MIN, other);
    }

    /** The first, or min where it is below; NaN where one is NaN. */
    default T clampMin(Tensor other) {
        return apply(Ops.CLAMP_MIN, other);
    }

    /** The first, or min where it is below; NaN where one is NaN. */
    default T clampMin(Number other) {
        return apply(Ops.CLAMP_MIN, other);
    }

    /** The first, or max where it is above; NaN where one is NaN. */
    default T clampMax(T other) {
        return apply(Ops.CLAMP_MAX, other);
    }

    /** The first, or max where it is above; NaN where one is NaN. */
    default T clampMax(Tensor other) {
        return apply(Ops.CLAMP_MAX, other);
    }

    /** The first, or max where it is above; NaN where one is NaN. */
    default T clampMax(Number other) {
        return apply(Ops.CLAMP_MAX, other);
    }

    /** The value, or a number where it is NaN or infinite. */
    default T nanToNum() {
        return apply(Ops.NAN_TO_NUM);
    }

    /** The value, or a number where it is NaN or infinite. */
    default T nanToNum(Number nan, Number posinf, Number neginf) {
        return apply(Ops.NAN_TO_NUM, nan, posinf, neginf);
    }

    /** The value itself; bools are refused. */
    default T positive() {
        return withExpr(Compositions.positive(expr()));
    }
}
