package io.github.broadloom.testkit.conformance;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.lazy.UniqueValues;
import io.github.broadloom.tensor.Tensor;
import java.util.OptionalInt;

/** Where expressions are computed: in this process, or cut in chunks over a Spark cluster. */
public interface Engine {
    /** The tensor as an input of an expression for {@link #evaluate}. */
    Expr place(Tensor tensor);

    Tensor evaluate(Expr expr);

    /** The distinct values, or slices along a dimension; of values perhaps without telling which of them each element is. */
    UniqueValues unique(Expr expr, OptionalInt dim);

    /**
     * Writes {@code a.op_(other)} by the in-place methods.
     *
     * @param op a row of the table, or {@code copy}
     * @param other a Tensor, a Number or a Boolean
     * @return the value of {@code a} afterwards; where {@link #hasStorage}, {@code a} itself
     */
    Tensor inPlace(String op, Tensor a, Object other);

    /** Whether a tensor is a view over a storage here, with strides, and others that share it. */
    boolean hasStorage();
}
