package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;

/**
 * Sign, rounding and bounds that write over this handle, as {@link ValueOps} without the underscore; part of {@link
 * InPlaceOps}.
 */
public interface InPlaceValueOps<T extends TensorOps<T>> extends InPlaceBase<T> {
    /** Changes the sign; bools are refused. */
    default T neg_() {
        return apply_(Ops.NEG);
    }

    /** Takes the magnitude. */
    default T abs_() {
        return apply_(Ops.ABS);
    }

    /** Leaves -1, 0 or 1. */
    default T sign_() {
        return apply_(Ops.SIGN);
    }

    /** Multiplies by itself. */
    default T square_() {
        return apply_(Ops.SQUARE);
    }

    /** Rounds down. */
    default T floor_() {
        return apply_(Ops.FLOOR);
    }

    /** Rounds up. */
    default T ceil_() {
        return apply_(Ops.CEIL);
    }

    /** Rounds to the nearest integer, halves to even. */
    default T round_() {
        return apply_(Ops.ROUND);
    }

    /** Drops the fraction. */
    default T trunc_() {
        return apply_(Ops.TRUNC);
    }

    /** Keeps the fraction, with its sign. */
    default T frac_() {
        return apply_(Ops.FRAC);
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

    /** Holds between two bounds, of which max wins. */
    default T clamp_(T min, T max) {
        return apply_(Ops.CLAMP, min, max);
    }

    /** Holds between two bounds, of which max wins. */
    default T clamp_(Tensor min, Tensor max) {
        return apply_(Ops.CLAMP, min, max);
    }

    /** Holds between two bounds, which may not widen the dtype. */
    default T clamp_(Number min, Number max) {
        return apply_(Ops.CLAMP, min, max);
    }

    /** Replaces what is below by the bound. */
    default T clampMin_(T other) {
        return apply_(Ops.CLAMP_MIN, other);
    }

    /** Replaces what is below by the bound. */
    default T clampMin_(Tensor other) {
        return apply_(Ops.CLAMP_MIN, other);
    }

    /** Replaces what is below by the bound. */
    default T clampMin_(Number other) {
        return apply_(Ops.CLAMP_MIN, other);
    }

    /** Replaces what is above by the bound. */
    default T clampMax_(T other) {
        return apply_(Ops.CLAMP_MAX, other);
    }

    /** Replaces what is above by the bound. */
    default T clampMax_(Tensor other) {
        return apply_(Ops.CLAMP_MAX, other);
    }

    /** Replaces what is above by the bound. */
    default T clampMax_(Number other) {
        return apply_(Ops.CLAMP_MAX, other);
    }

    /** Replaces NaN by 0, and infinities by the greatest and the smallest number. */
    default T nanToNum_() {
        return apply_(Ops.NAN_TO_NUM);
    }

    /** Replaces NaN and the infinities by these numbers. */
    default T nanToNum_(Number nan, Number posinf, Number neginf) {
        return apply_(Ops.NAN_TO_NUM, nan, posinf, neginf);
    }
}
