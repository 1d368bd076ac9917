package io.github.broadloom.examples.conformance;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.tensor.Tensor;

/** Where expressions are computed: in this process, or cut in chunks over a Spark cluster. */
public interface Engine {

    /** The tensor as an input of an expression for {@link #evaluate}. */
    Expr place(Tensor tensor);

    /** Computes an expression over placed tensors. */
    Tensor evaluate(Expr expr);
}
