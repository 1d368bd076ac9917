package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A reduction over some or all dimensions; those of size one stay where {@link #keepDim()} says so. */
public final class Reduce implements Expr {
    private static final long serialVersionUID = 1;

    private final Reduction reduction;
    private final Expr operand;
    private final int[] dims;
    private final boolean keepDim;
    private final DType dtype;
    private final Shape shape;

    private Reduce(Reduction reduction, Expr operand, int[] dims, boolean keepDim) {
        this.reduction = reduction;
        this.operand = operand;
        this.dims = dims;
        this.keepDim = keepDim;
        this.dtype = reduction.resultType(operand.dtype());
        this.shape = reduced(operand.shape(), dims, keepDim);
    }

    static Expr of(Reduction reduction, Expr operand, int[] dims, boolean keepDim) {
        Shape shape = operand.shape();
        reduction.resultType(operand.dtype());
        if (dims.length == 0 && keepDim) { // PyTorch has keepdim only beside dims, so these are all of them, named
            dims = IntStream.range(0, shape.rank()).toArray();
        }
        int[] normalized = new int[dims.length];
        boolean[] taken = new boolean[Math.max(1, shape.rank())];
        for (int i = 0; i < dims.length; i++) {
            normalized[i] = shape.normalizeDim(dims[i]);
            if (taken[normalized[i]]) {
                throw new IllegalArgumentException(
                        "dim " + normalized[i] + " appears multiple times in the list of dims");
            }
            taken[normalized[i]] = true;
        }
        checkNotEmpty(reduction, shape, dims);
        if (shape.rank() == 0) {
            normalized = new int[0]; // a scalar accepts dim 0 and -1, and has none to reduce
        } else if (dims.length == 0) {
            normalized = IntStream.range(0, shape.rank()).toArray();
        }
        Arrays.sort(normalized);
        return new Reduce(reduction, operand, normalized, keepDim);
    }

    private static void checkNotEmpty(Reduction reduction, Shape shape, int[] dims) {
        if (reduction.acceptsEmpty() || shape.numel() != 0) {
            return;
        }
        String name = reduction.torchName() + "(): ";
        if (dims.length == 0) {
            throw new IndexOutOfBoundsException(name + "Expected reduction dim to be specified for input.numel() == 0."
                    + " Specify the reduction dim with the 'dim' argument.");
        }
        for (int dim : dims) {
            if (shape.size(shape.normalizeDim(dim)) == 0) {
                throw new IndexOutOfBoundsException(name + "Expected reduction dim " + dim + " to have non-zero size.");
            }
        }
    }

    private static Shape reduced(Shape shape, int[] dims, boolean keepDim) {
        Shape result = shape;
        for (int i = dims.length - 1; i >= 0; i--) {
            result = keepDim ? result.with(dims[i], 1) : result.without(dims[i]);
        }
        return result;
    }

    /** Which reduction. */
    public Reduction reduction() {
        return reduction;
    }

    /** What is reduced. */
    public Expr operand() {
        return operand;
    }

    /** The reduced dimensions of the operand, ascending, none negative; empty for an operand of rank 0 alone. */
    public int[] dims() {
        return dims.clone();
    }

    /** Whether a reduced dimension stays with size one. */
    public boolean keepDim() {
        return keepDim;
    }

    /** How many elements of the operand become one. */
    public long reducedCount() {
        long count = 1;
        for (int dim : dims) {
            count *= operand.shape().size(dim);
        }
        return count;
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
        return List.of(operand);
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        return of(reduction, children.get(0), dims, keepDim);
    }

    private Object writeReplace() {
        return new FlatExpr(this);
    }

    @Override
    public String toString() {
        return reduction + "(…, dim=" + Arrays.toString(dims) + (keepDim ? ", keepdim=True)" : ")");
    }
}
