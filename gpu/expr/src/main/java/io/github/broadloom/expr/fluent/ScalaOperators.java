package io.github.broadloom.expr.fluent;

import io.github.broadloom.tensor.Tensor;

/**
 * The operators of Scala, for the Scala shell and for programs in Scala: there {@code (x - mean) / std} calls {@code x.$minus(mean).$div(std)}. Java calls
 * {@link ArithmeticOps#sub} and its like; part of {@link TensorOps}.
 *
 * <p>Precedence is Scala's: {@code x > 0 & y > 0} needs no parentheses, and Python's do no harm. Two operators of Python are missing. Scala would read {@code 2 * x ** 2} as {@code (2 *
 * x) ** 2}, so there is no {@code **}: write {@code x.pow(2)}. And {@code ==} asks whether two handles are the same object: {@code ===} and {@code =!=} compare elements, as those of
 * Spark's columns do. What stands on the right of a plain number is {@link LeftOperand}'s.
 */
@SuppressWarnings("MemberName") // the names that Scala gives to operators
public interface ScalaOperators<T extends TensorOps<T>>
        extends ArithmeticOps<T>, BitOps<T>, ComparisonOps<T>, ValueOps<T>, ShapeOps<T> {
    /** {@code -x}: the opposite. */
    default T unary_$minus() {
        return neg();
    }

    /** {@code !x}: whether false, that is, zero. */
    default T unary_$bang() {
        return logicalNot();
    }

    /** {@code ~x}: all bits inverted; of bools, not. */
    default T unary_$tilde() {
        return bitwiseNot();
    }

    /** {@code x(0)}, {@code x(0, -1)}: {@link #index(long...)}. */
    default T apply(long... indices) {
        return index(indices);
    }

    /** {@code x("1:3, ..., None")}: {@link #index(String)}. */
    default T apply(String items) {
        return index(items);
    }

    /** {@code x + y}: the sum. */
    default T $plus(T other) {
        return add(other);
    }

    /** {@code x + y}: the sum. */
    default T $plus(Tensor other) {
        return add(other);
    }

    /** {@code x + y}: the sum. */
    default T $plus(Number other) {
        return add(other);
    }

    /** {@code x - y}: the difference. */
    default T $minus(T other) {
        return sub(other);
    }

    /** {@code x - y}: the difference. */
    default T $minus(Tensor other) {
        return sub(other);
    }

    /** {@code x - y}: the difference. */
    default T $minus(Number other) {
        return sub(other);
    }

    /** {@code x * y}: the product. */
    default T $times(T other) {
        return mul(other);
    }

    /** {@code x * y}: the product. */
    default T $times(Tensor other) {
        return mul(other);
    }

    /** {@code x * y}: the product. */
    default T $times(Number other) {
        return mul(other);
    }

    /** {@code x / y}: the true quotient. */
    default T $div(T other) {
        return div(other);
    }

    /** {@code x / y}: the true quotient. */
    default T $div(Tensor other) {
        return div(other);
    }

    /** {@code x / y}: the true quotient. */
    default T $div(Number other) {
        return div(other);
    }

    /** {@code x % y}: Python's %: the remainder with the divisor's sign. */
    default T $percent(T other) {
        return remainder(other);
    }

    /** {@code x % y}: Python's %: the remainder with the divisor's sign. */
    default T $percent(Tensor other) {
        return remainder(other);
    }

    /** {@code x % y}: Python's %: the remainder with the divisor's sign. */
    default T $percent(Number other) {
        return remainder(other);
    }

    /** {@code x & y}: bitwise and of integers; of bools, and. */
    default T $amp(T other) {
        return bitwiseAnd(other);
    }

    /** {@code x & y}: bitwise and of integers; of bools, and. */
    default T $amp(Tensor other) {
        return bitwiseAnd(other);
    }

    /** {@code x & y}: bitwise and of integers; of bools, and. */
    default T $amp(Number other) {
        return bitwiseAnd(other);
    }

    /** {@code x | y}: bitwise or of integers; of bools, or. */
    default T $bar(T other) {
        return bitwiseOr(other);
    }

    /** {@code x | y}: bitwise or of integers; of bools, or. */
    default T $bar(Tensor other) {
        return bitwiseOr(other);
    }

    /** {@code x | y}: bitwise or of integers; of bools, or. */
    default T $bar(Number other) {
        return bitwiseOr(other);
    }

    /** {@code x ^ y}: bitwise xor of integers; of bools, xor. */
    default T $up(T other) {
        return bitwiseXor(other);
    }

    /** {@code x ^ y}: bitwise xor of integers; of bools, xor. */
    default T $up(Tensor other) {
        return bitwiseXor(other);
    }

    /** {@code x ^ y}: bitwise xor of integers; of bools, xor. */
    default T $up(Number other) {
        return bitwiseXor(other);
    }

    /** {@code x << y}: bits moved up. */
    default T $less$less(T other) {
        return bitwiseLeftShift(other);
    }

    /** {@code x << y}: bits moved up. */
    default T $less$less(Tensor other) {
        return bitwiseLeftShift(other);
    }

    /** {@code x << y}: bits moved up. */
    default T $less$less(Number other) {
        return bitwiseLeftShift(other);
    }

    /** {@code x >> y}: bits moved down with the sign. */
    default T $greater$greater(T other) {
        return bitwiseRightShift(other);
    }

    /** {@code x >> y}: bits moved down with the sign. */
    default T $greater$greater(Tensor other) {
        return bitwiseRightShift(other);
    }

    /** {@code x >> y}: bits moved down with the sign. */
    default T $greater$greater(Number other) {
        return bitwiseRightShift(other);
    }

    /** {@code x < y}: whether smaller. */
    default T $less(T other) {
        return lt(other);
    }

    /** {@code x < y}: whether smaller. */
    default T $less(Tensor other) {
        return lt(other);
    }

    /** {@code x < y}: whether smaller. */
    default T $less(Number other) {
        return lt(other);
    }

    /** {@code x <= y}: whether smaller or equal. */
    default T $less$eq(T other) {
        return le(other);
    }

    /** {@code x <= y}: whether smaller or equal. */
    default T $less$eq(Tensor other) {
        return le(other);
    }

    /** {@code x <= y}: whether smaller or equal. */
    default T $less$eq(Number other) {
        return le(other);
    }

    /** {@code x > y}: whether greater. */
    default T $greater(T other) {
        return gt(other);
    }

    /** {@code x > y}: whether greater. */
    default T $greater(Tensor other) {
        return gt(other);
    }

    /** {@code x > y}: whether greater. */
    default T $greater(Number other) {
        return gt(other);
    }

    /** {@code x >= y}: whether greater or equal. */
    default T $greater$eq(T other) {
        return ge(other);
    }

    /** {@code x >= y}: whether greater or equal. */
    default T $greater$eq(Tensor other) {
        return ge(other);
    }

    /** {@code x >= y}: whether greater or equal. */
    default T $greater$eq(Number other) {
        return ge(other);
    }

    /** {@code x === y}: whether equal, element by element. */
    default T $eq$eq$eq(T other) {
        return eq(other);
    }

    /** {@code x === y}: whether equal, element by element. */
    default T $eq$eq$eq(Tensor other) {
        return eq(other);
    }

    /** {@code x === y}: whether equal, element by element. */
    default T $eq$eq$eq(Number other) {
        return eq(other);
    }

    /** {@code x =!= y}: whether different, element by element. */
    default T $eq$bang$eq(T other) {
        return ne(other);
    }

    /** {@code x =!= y}: whether different, element by element. */
    default T $eq$bang$eq(Tensor other) {
        return ne(other);
    }

    /** {@code x =!= y}: whether different, element by element. */
    default T $eq$bang$eq(Number other) {
        return ne(other);
    }
}
