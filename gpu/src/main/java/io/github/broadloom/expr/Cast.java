package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import java.util.List;

/**
 * A conversion to another dtype. Integers wrap to the narrower width; a floating number loses its fraction on the way to
 * an integer; anything but zero is true.
 */
public final class Cast implements Expr {
    private static final long serialVersionUID = 1;

    private final Expr operand;
    private final Device device;
    private final DType dtype;

    Cast(Expr operand, DType dtype) {
        this.operand = operand;
        this.device = operand.device();
        this.dtype = dtype;
    }

    /** What is converted. */
    public Expr operand() {
        return operand;
    }

    @Override
    public DType dtype() {
        return dtype;
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public Shape shape() {
        return operand.shape();
    }

    @Override
    public List<Expr> children() {
        return List.of(operand);
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        return Expr.cast(children.get(0), dtype);
    }

    private Object writeReplace() {
        return new FlatExpr(this);
    }

    @Override
    public String toString() {
        return dtype + "(…)";
    }
}
