package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.List;

/**
 * A tensor from outside. The source says which: a local {@code Tensor}, or whatever the caller of
 * {@link Expr#mapInputs} understands. Two inputs are the same tensor where they are the same object.
 */
public final class Input implements Expr {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // a local tensor as source does not travel; what travels puts its own source there
    private final Object source;

    private final DType dtype;
    private final Shape shape;

    private Input(Object source, DType dtype, Shape shape) {
        this.source = source;
        this.dtype = dtype;
        this.shape = shape;
    }

    /** An input of that dtype and shape; {@code source} is never looked into. */
    public static Input of(Object source, DType dtype, Shape shape) {
        return new Input(source, dtype, shape);
    }

    /** An input that is this local tensor. */
    public static Input of(Tensor tensor) {
        return new Input(tensor, tensor.dtype(), tensor.shape());
    }

    /** What stands behind this input. */
    public Object source() {
        return source;
    }

    @Override
    public DType dtype() {
        return dtype;
    }

    @Override
    public Shape shape() {
        return shape;
    }

    @Override
    public List<Expr> children() {
        return List.of();
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        return this;
    }

    @Override
    public String toString() {
        return "input(" + dtype + shape + ")";
    }
}
