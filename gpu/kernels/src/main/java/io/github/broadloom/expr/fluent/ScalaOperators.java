package io.github.broadloom.expr.fluent;

/**
 * The operators of Scala, for the Scala shell and for programs in Scala: there {@code (x - mean) / std} calls {@code x.$minus(mean).$div(std)}. Java calls
 * {@link PointwiseOps#sub} and its like; part of {@link TensorOps}.
 *
 * <p>Precedence is Scala's: {@code x > 0 & y > 0} needs no parentheses, and Python's do no harm. Two operators of Python are missing. Scala would read {@code 2 * x ** 2} as {@code (2 *
 * x) ** 2}, so there is no {@code **}: write {@code x.pow(2)}. And {@code ==} asks whether two handles are the same object: {@code ===} and {@code =!=} compare elements, as those of
 * Spark's columns do. What stands on the right of a plain number is {@link LeftOperand}'s.
 */
@SuppressWarnings("MemberName") // the names that Scala gives to operators
public interface ScalaOperators<T extends TensorOps<T>> extends SignOperators<T>, PointwiseOps<T>, ShapeOps<T> {
    /** {@code !x}: whether false, that is, zero. */
    default T unary_$bang() {
        return logicalNot();
    }

    /** {@code x(0)}, {@code x(0, -1)}: {@link #index(long...)}. */
    default T apply(long... indices) {
        return index(indices);
    }

    /** {@code x("1:3, ..., None")}: {@link #index(String)}. */
    default T apply(String items) {
        return index(items);
    }
}
