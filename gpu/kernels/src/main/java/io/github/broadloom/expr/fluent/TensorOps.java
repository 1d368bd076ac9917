package io.github.broadloom.expr.fluent;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import java.util.List;

/**
 * All operations as methods: the one fluent interface of the local and of the distributed tensor. Operands broadcast and
 * promote as in PyTorch; every method raises PyTorch's error at once, and computes nothing.
 *
 * @param <T> the handle itself, {@code class LazyTensor implements TensorOps<LazyTensor>}
 */
public interface TensorOps<T extends TensorOps<T>>
        extends PointwiseOps<T>,
                CompositionOps<T>,
                ReductionOps<T>,
                StatisticsOps<T>,
                ScanOps<T>,
                OrderOps<T>,
                ProductOps<T>,
                ShapeOps<T>,
                IndexOps<T>,
                ScalaOperators<T> {
    /**
     * All of them expanded to the shape that they broadcast to; nothing is copied.
     *
     * @throws IllegalArgumentException with PyTorch's text, where they do not broadcast
     */
    static <T extends TensorOps<T>> List<T> broadcastTensors(List<T> handles) {
        Shape shape =
                Broadcasting.broadcastShapes(handles.stream().map(T::shape).toArray(Shape[]::new));
        return handles.stream().map(handle -> handle.expand(shape)).toList();
    }

    /**
     * One behind the other along a dimension, as {@code torch.cat} does; dtypes promote.
     *
     * @throws IllegalArgumentException with PyTorch's text, where there is none, or one does not fit to the first
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    static <T extends TensorOps<T>> T concat(List<T> handles, int dim) {
        Expr joined = Expr.concat(handles.stream().map(T::expr).toList(), dim);
        return handles.get(0).withExpr(joined);
    }

    /** All, of one shape, along a new dimension, as {@code torch.stack} does; refused as {@link #concat}. */
    static <T extends TensorOps<T>> T stack(List<T> handles, int dim) {
        Expr stacked = ViewOps.stack(handles.stream().map(T::expr).toList(), dim);
        return handles.get(0).withExpr(stacked);
    }

    /**
     * This with names for its dimensions, by which other operands are aligned.
     *
     * @param dims a name for each dimension
     * @throws IllegalArgumentException where there are more or fewer, or one stands twice
     */
    @SuppressWarnings("unchecked") // T is the handle itself
    default NamedTensor<T> named(String... dims) {
        return NamedTensor.of((T) this, List.of(dims));
    }

    /** The same values on a device, which computes from there on: its kernels run there. */
    T to(Device target);

    /** A conversion to another dtype; nothing where it is the same. */
    default T to(DType dtype) {
        return withExpr(Expr.cast(expr(), dtype));
    }
}
