package io.github.broadloom.expr.fluent;

import io.github.broadloom.expr.IndexPut;
import io.github.broadloom.expr.Subscript.Item;
import java.util.List;

/** Places of a tensor; what is written to them makes new values. */
public final class Places<T extends TensorOps<T>> {
    private final IndexOps<T> x;
    private final List<Item> items;

    Places(IndexOps<T> x, List<Item> items) {
        this.x = x;
        this.items = items;
    }

    /**
     * The tensor with a value at the places; of several that come to one place the last.
     *
     * @param value a Number, a Boolean, or a tensor of the same dtype that broadcasts to what {@link IndexOps#pick} takes
     * @throws IllegalArgumentException with PyTorch's text, where dtype or shape does not fit
     * @throws IndexOutOfBoundsException as {@link IndexOps#pick}
     */
    public T set(Object value) {
        return x.withExpr(IndexPut.set(x.expr(), items, x.operand(value), x::values));
    }

    /**
     * The tensor with a value added at the places: all of several that come to one place.
     *
     * @throws IllegalArgumentException as {@link #set}
     * @throws IndexOutOfBoundsException as {@link IndexOps#pick}
     */
    public T add(Object value) {
        return x.withExpr(IndexPut.add(x.expr(), items, x.operand(value), x::values));
    }
}
