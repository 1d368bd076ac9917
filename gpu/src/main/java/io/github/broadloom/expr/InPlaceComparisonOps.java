package io.github.broadloom.expr;

import io.github.broadloom.tensor.Tensor;

/** Comparisons, logic and bits that write over this handle, as {@link ComparisonOps} without the underscore; a truth is cast to its dtype; part of {@link InPlaceOps}. */
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

    /** And of the bits; of integers and bools. */
    default T bitwiseAnd_(T other) {
        return apply_(Ops.BITWISE_AND, other);
    }

    /** And of the bits; of integers and bools. */
    default T bitwiseAnd_(Tensor other) {
        return apply_(Ops.BITWISE_AND, other);
    }

    /** And of the bits; of integers and bools. */
    default T bitwiseAnd_(Number other) {
        return apply_(Ops.BITWISE_AND, other);
    }

    /** Or of the bits; of integers and bools. */
    default T bitwiseOr_(T other) {
        return apply_(Ops.BITWISE_OR, other);
    }

    /** Or of the bits; of integers and bools. */
    default T bitwiseOr_(Tensor other) {
        return apply_(Ops.BITWISE_OR, other);
    }

    /** Or of the bits; of integers and bools. */
    default T bitwiseOr_(Number other) {
        return apply_(Ops.BITWISE_OR, other);
    }

    /** Exclusive or of the bits; of integers and bools. */
    default T bitwiseXor_(T other) {
        return apply_(Ops.BITWISE_XOR, other);
    }

    /** Exclusive or of the bits; of integers and bools. */
    default T bitwiseXor_(Tensor other) {
        return apply_(Ops.BITWISE_XOR, other);
    }

    /** Exclusive or of the bits; of integers and bools. */
    default T bitwiseXor_(Number other) {
        return apply_(Ops.BITWISE_XOR, other);
    }

    /** Shifts the bits to the left. */
    default T bitwiseLeftShift_(T other) {
        return apply_(Ops.BITWISE_LEFT_SHIFT, other);
    }

    /** Shifts the bits to the left. */
    default T bitwiseLeftShift_(Tensor other) {
        return apply_(Ops.BITWISE_LEFT_SHIFT, other);
    }

    /** Shifts the bits to the left. */
    default T bitwiseLeftShift_(Number other) {
        return apply_(Ops.BITWISE_LEFT_SHIFT, other);
    }

    /** Shifts the bits to the right, keeping the sign. */
    default T bitwiseRightShift_(T other) {
        return apply_(Ops.BITWISE_RIGHT_SHIFT, other);
    }

    /** Shifts the bits to the right, keeping the sign. */
    default T bitwiseRightShift_(Tensor other) {
        return apply_(Ops.BITWISE_RIGHT_SHIFT, other);
    }

    /** Shifts the bits to the right, keeping the sign. */
    default T bitwiseRightShift_(Number other) {
        return apply_(Ops.BITWISE_RIGHT_SHIFT, other);
    }

    /** 1 or true where zero, else 0. */
    default T logicalNot_() {
        return apply_(Ops.LOGICAL_NOT);
    }

    /** Flips all bits; of integers and bools. */
    default T bitwiseNot_() {
        return apply_(Ops.BITWISE_NOT);
    }
}
