package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * A tensor from outside. The source says which: a local {@code Tensor}, or whatever the caller of
 * {@link Expr#mapInputs} understands. Two inputs are the same tensor where they are the same object.
 */
public final class Input implements Expr.Leaf {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // a local tensor as source does not travel; what travels puts its own source there
    private final Object source;

    private final DType dtype;
    private final Shape shape;

    private final Device device;

    private final long version;

    private final @Nullable Boolean warned;

    private Input(Object source, DType dtype, Shape shape, Device device, long version, @Nullable Boolean warned) {
        this.source = source;
        this.dtype = dtype;
        this.shape = shape;
        this.device = device;
        this.version = version;
        this.warned = warned;
    }

    /** An input of that dtype and shape; {@code source} is never looked into. */
    public static Input of(Object source, DType dtype, Shape shape) {
        return source instanceof Tensor tensor
                ? new Input(
                        tensor, dtype, shape, tensor.device(), tensor.storage().version(), null)
                : new Input(source, dtype, shape, Device.CPU, 0, null);
    }

    /** An input that is this local tensor, with the elements that it has now. */
    public static Input of(Tensor tensor) {
        return of(tensor, tensor.dtype(), tensor.shape());
    }

    /**
     * A tensor of the CPU that an operation on {@code operand} makes for itself: it counts as lying there, since nobody can move it,
     * and is copied when it is used.
     */
    static Input beside(Expr operand, Tensor tensor) {
        return new Input(
                tensor,
                tensor.dtype(),
                tensor.shape(),
                operand.device(),
                tensor.storage().version(),
                null);
    }

    /** This, with a switch of its own for {@link BroadcastWarning}; null leaves it to the JVM's. */
    public Input warned(@Nullable Boolean own) {
        return new Input(source, dtype, shape, device, version, own);
    }

    /** An input that is a view of this one's local tensor, with the elements that it had when this was made. */
    Input withView(Tensor view) {
        return new Input(view, view.dtype(), view.shape(), device, version, warned);
    }

    /** Whether the elements of the local tensor behind this were written to since; never of another source. */
    public boolean isStale() {
        return source instanceof Tensor tensor && tensor.storage().version() != version;
    }

    /**
     * Refuses an input whose tensor was written to after this was made: PyTorch, which computes at once, would have
     * used the elements of that moment.
     *
     * @throws IllegalStateException naming the remedy
     */
    public void requireUnchanged() {
        if (isStale()) {
            throw new IllegalStateException(changed(dtype, shape));
        }
    }

    /** The sentence for a local tensor that was written to while an expression waited to be computed. */
    public static String changed(DType dtype, Shape shape) {
        return "Cannot evaluate expression: its input, a " + dtype + " tensor of shape " + shape
                + ", was written to after the expression was built; call compute() or collect() before the change, or"
                + " build the expression after it";
    }

    @Override
    public @Nullable Boolean warned() {
        return warned;
    }

    public Object source() {
        return source;
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
        return shape;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.input(this);
    }

    @Override
    public String toString() {
        return "input(" + dtype + shape + ")";
    }
}
