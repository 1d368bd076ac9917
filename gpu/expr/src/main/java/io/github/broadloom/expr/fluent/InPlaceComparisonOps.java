package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.tensor.Tensor;

/**
 * Comparisons and truth that write over this handle, 1 or 0 where it is no bool, as {@link ComparisonOps} without the
 * underscore; part of {@link InPlaceOps}.
 */
public interface InPlaceComparisonOps<T extends TensorOps<T>> extends InPlaceBase<T> {
    /** 1 or true where equal, else 0. */
    default T eq_(T other) {
        return apply_(Ops.EQ, other);
    }

    /** 1 or true where equal, else 0. */
    default T eq_(Tensor other) {
        return apply_(Ops.EQ, other);
    }

    /** 1 or true where equal, else 0. */
    default T eq_(Number other) {
        return apply_(Ops.EQ, other);
    }

    /** 1 or true where not equal, else 0. */
    default T ne_(T other) {
        return apply_(Ops.NE, other);
    }

    /** 1 or true where not equal, else 0. */
    default T ne_(Tensor other) {
        return apply_(Ops.NE, other);
    }

    /** 1 or true where not equal, else 0. */
    default T ne_(Number other) {
        return apply_(Ops.NE, other);
    }

    /** 1 or true where less, else 0. */
    default T lt_(T other) {
        return apply_(Ops.LT, other);
    }

    /** 1 or true where less, else 0. */
    default T lt_(Tensor other) {
        return apply_(Ops.LT, other);
    }

    /** 1 or true where less, else 0. */
    default T lt_(Number other) {
        return apply_(Ops.LT, other);
    }

    /** 1 or true where less or equal, else 0. */
    default T le_(T other) {
        return apply_(Ops.LE, other);
    }

    /** 1 or true where less or equal, else 0. */
    default T le_(Tensor other) {
        return apply_(Ops.LE, other);
    }

    /** 1 or true where less or equal, else 0. */
    default T le_(Number other) {
        return apply_(Ops.LE, other);
    }

    /** 1 or true where greater, else 0. */
    default T gt_(T other) {
        return apply_(Ops.GT, other);
    }

    /** 1 or true where greater, else 0. */
    default T gt_(Tensor other) {
        return apply_(Ops.GT, other);
    }

    /** 1 or true where greater, else 0. */
    default T gt_(Number other) {
        return apply_(Ops.GT, other);
    }

    /** 1 or true where greater or equal, else 0. */
    default T ge_(T other) {
        return apply_(Ops.GE, other);
    }

    /** 1 or true where greater or equal, else 0. */
    default T ge_(Tensor other) {
        return apply_(Ops.GE, other);
    }

    /** 1 or true where greater or equal, else 0. */
    default T ge_(Number other) {
        return apply_(Ops.GE, other);
    }

    /** 1 or true where both are not zero, else 0. */
    default T logicalAnd_(T other) {
        return apply_(Ops.LOGICAL_AND, other);
    }

    /** 1 or true where both are not zero, else 0. */
    default T logicalAnd_(Tensor other) {
        return apply_(Ops.LOGICAL_AND, other);
    }

    /** 1 or true where both are not zero, else 0. */
    default T logicalAnd_(Number other) {
        return apply_(Ops.LOGICAL_AND, other);
    }

    /** 1 or true where one is not zero, else 0. */
    default T logicalOr_(T other) {
        return apply_(Ops.LOGICAL_OR, other);
    }

    /** 1 or true where one is not zero, else 0. */
    default T logicalOr_(Tensor other) {
        return apply_(Ops.LOGICAL_OR, other);
    }

    /** 1 or true where one is not zero, else 0. */
    default T logicalOr_(Number other) {
        return apply_(Ops.LOGICAL_OR, other);
    }

    /** 1 or true where exactly one is not zero, else 0. */
    default T logicalXor_(T other) {
        return apply_(Ops.LOGICAL_XOR, other);
    }

    /** 1 or true where exactly one is not zero, else 0. */
    default T logicalXor_(Tensor other) {
        return apply_(Ops.LOGICAL_XOR, other);
    }

    /** 1 or true where exactly one is not zero, else 0. */
    default T logicalXor_(Number other) {
        return apply_(Ops.LOGICAL_XOR, other);
    }

    /** 1 or true where zero, else 0. */
    default T logicalNot_() {
        return apply_(Ops.LOGICAL_NOT);
    }

    /** Leaves 0 below zero and of NaN, 1 above, and the other at zero. */
    default T heaviside_(T other) {
        return apply_(Ops.HEAVISIDE, other);
    }

    /** Leaves 0 below zero and of NaN, 1 above, and the other at zero. */
    default T heaviside_(Tensor other) {
        return apply_(Ops.HEAVISIDE, other);
    }

    /** Leaves 0 below zero and of NaN, 1 above, and the other at zero. */
    default T heaviside_(Number other) {
        return apply_(Ops.HEAVISIDE, other);
    }
}
