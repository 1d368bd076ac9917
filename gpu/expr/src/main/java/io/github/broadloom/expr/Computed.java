package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node that is computed from other nodes. */
public abstract sealed class Computed implements Expr
        permits Pointwise, Reduce, Along, Rearrange, Concat, Contraction, Gather, Filter, Search, Grouped {
    private static final long serialVersionUID = 1;

    private final DType dtype;
    private final Shape shape;
    private final Device device;

    private final @Nullable Boolean warned;

    @SuppressWarnings("serial") // List.of
    private final List<Expr> children;

    Computed(DType dtype, Shape shape, Device device, List<Expr> children) {
        this.dtype = dtype;
        this.shape = shape;
        this.device = device;
        this.children = children;
        this.warned = BroadcastWarning.saidBy(children);
    }

    @Override
    public final DType dtype() {
        return dtype;
    }

    @Override
    public final Shape shape() {
        return shape;
    }

    @Override
    public final Device device() {
        return device;
    }

    @Override
    public final @Nullable Boolean warned() {
        return warned;
    }

    @Override
    public final List<Expr> children() {
        return children;
    }

    /** What it does to its children: with them it is the node. Compared by value. */
    interface Recipe extends Serializable {
        Expr over(List<Expr> children);
    }

    public abstract Recipe recipe();

    @Override
    public final Expr withChildren(List<Expr> children) {
        return children.equals(this.children) ? this : over(children); // nodes are compared by identity
    }

    Expr over(List<Expr> others) {
        return recipe().over(others);
    }

    /** Serialization must not recurse over the graph either. */
    protected final Object writeReplace() {
        return new FlatExpr(this);
    }
}
