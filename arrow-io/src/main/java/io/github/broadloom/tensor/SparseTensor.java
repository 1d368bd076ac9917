package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;

/**
 * A tensor of which only some elements are kept, the others being zero: PyTorch's {@code sparse_coo}. The
 * {@code sparseDim} leading dimensions are sparse: {@link #rawIndices()} has the coordinates of each entry, and
 * {@link #rawValues()} its value, which is a dense block where {@code denseDim} further dimensions follow.
 *
 * <p>A place may have several entries; they count as their sum, which {@link #coalesce} forms. The handle is immutable.
 * It shares its indices and values with the tensors that it was made of, where they were int64 and contiguous.
 *
 * <p>Names, results and error texts are PyTorch's, as with {@code check_invariants=True}: indices are always checked.
 */
public final class SparseTensor {
    private final Tensor indices;
    private final Tensor values;
    private final Shape shape;
    private final boolean coalesced;

    private SparseTensor(Tensor indices, Tensor values, Shape shape, boolean coalesced) {
        this.indices = indices;
        this.values = values;
        this.shape = shape;
        this.coalesced = coalesced || indices.shape().size(1) < 2;
    }

    /** Of indices and values that belong together; nothing is checked. */
    static SparseTensor ofChecked(Tensor indices, Tensor values, Shape shape, boolean coalesced) {
        return new SparseTensor(indices, values, shape, coalesced);
    }

    /**
     * The sparse tensor of these entries, PyTorch's {@code sparse_coo_tensor(indices, values, size)}. It counts as
     * uncoalesced, unless it has fewer than two entries.
     *
     * @param indices {@code [sparseDim, nnz]}, cast to int64
     * @param values {@code [nnz, …]} of any dtype, the dense dimensions last; a zero-dim tensor counts as {@code [1]}
     * @throws IllegalArgumentException with PyTorch's text, where the three do not go together
     */
    public static SparseTensor of(Tensor indices, Tensor values, Shape shape) {
        SparseChecks.checkIndices(indices);
        Tensor coordinates = indices.to(DType.INT64).contiguous();
        Tensor entries = values.rank() == 0 ? values.unsqueeze(0) : values;
        SparseChecks.check(coordinates, entries, shape);
        return new SparseTensor(coordinates, entries, shape, false);
    }

    /** As {@link #of(Tensor, Tensor, Shape)}, of the smallest shape that holds the entries. */
    public static SparseTensor of(Tensor indices, Tensor values) {
        SparseChecks.checkIndices(indices);
        Tensor coordinates = indices.to(DType.INT64).contiguous();
        Tensor entries = values.rank() == 0 ? values.unsqueeze(0) : values;
        return of(coordinates, entries, SparseChecks.inferShape(coordinates, entries));
    }

    /**
     * The elements of a dense tensor that are not zero: PyTorch's {@code to_sparse()}. Coalesced; the values are
     * copies.
     */
    public static SparseTensor fromDense(Tensor dense) {
        return fromDense(dense, dense.rank());
    }

    /**
     * The blocks of a dense tensor that are not all zero, one for each index of the {@code sparseDim} leading dimensions:
     * PyTorch's {@code to_sparse(sparse_dim)}.
     */
    public static SparseTensor fromDense(Tensor dense, int sparseDim) {
        return Sparsifying.sparsify(dense, sparseDim);
    }

    public DType dtype() {
        return values.dtype();
    }

    /** The sizes: those of the sparse dimensions, then those of the dense ones. */
    public Shape shape() {
        return shape;
    }

    public int rank() {
        return shape.rank();
    }

    /** The number of elements, zeros included. */
    public long numel() {
        return shape.numel();
    }

    /** The number of entries, each counted where a place has several. */
    public long nnz() {
        return indices.shape().size(1);
    }

    /** The number of leading dimensions that are sparse. */
    public int sparseDim() {
        return (int) indices.shape().size(0);
    }

    /** The number of dimensions of each value. */
    public int denseDim() {
        return values.rank() - 1;
    }

    public TensorLayout layout() {
        return TensorLayout.SPARSE_COO;
    }

    /** Whether every place is known to have at most one entry, in row-major order. */
    public boolean isCoalesced() {
        return coalesced;
    }

    /** The same tensor with one entry at each place, in row-major order; this where it is so already. */
    public SparseTensor coalesce() {
        return coalesced ? this : Coalescing.coalesce(this);
    }

    /** The coordinates, int64 {@code [sparseDim, nnz]}; of a coalesced tensor alone. */
    public Tensor indices() {
        checkCoalesced("indices");
        return indices;
    }

    /** The values, {@code [nnz, …]}; of a coalesced tensor alone. */
    public Tensor values() {
        checkCoalesced("values");
        return values;
    }

    private void checkCoalesced(String wanted) {
        if (!coalesced) {
            throw new IllegalArgumentException(
                    "Cannot get " + wanted + " on an uncoalesced tensor, please call .coalesce() first");
        }
    }

    /** The coordinates as they stand, int64 {@code [sparseDim, nnz]}, contiguous: PyTorch's {@code _indices()}. */
    public Tensor rawIndices() {
        return indices;
    }

    /** The values as they stand, {@code [nnz, …]}: PyTorch's {@code _values()}. */
    public Tensor rawValues() {
        return values;
    }

    /** The place of each entry among the sparse dimensions, counted row-major: int64 {@code [nnz]}. */
    public Tensor linearIndices() {
        return Coalescing.linearIndices(this);
    }

    /** All elements, zeros included, in fresh memory. */
    public Tensor toDense() {
        Tensor dense = Tensors.zeros(shape, dtype());
        SparseTensor each = coalesce();
        Gathering.addAt(dense, each.indices, each.values);
        return dense;
    }

    /**
     * The entries of this with other values, of any dtype and any dense dimensions; coalesced where this is.
     *
     * @param replacement {@code [nnz, …]}
     */
    public SparseTensor withValues(Tensor replacement) {
        if (replacement.rank() == 0 || replacement.shape().size(0) != nnz()) {
            throw new IllegalArgumentException("Cannot replace values: shape " + replacement.shape() + " for " + nnz()
                    + " entries; give one value for each");
        }
        Shape sizes = shape.dims(0, sparseDim()).concat(replacement.shape().inner());
        return new SparseTensor(indices, replacement, sizes, coalesced);
    }

    /** This tensor, with entries that stand for the same and are in order. */
    SparseTensor asCoalesced(Tensor newIndices, Tensor newValues) {
        return new SparseTensor(newIndices, newValues, shape, true);
    }

    /** This where the dtype is the same, else with every value cast by {@link Tensor#to}. */
    public SparseTensor to(DType target) {
        return target == dtype() ? this : withValues(values.to(target));
    }

    /** The two dimensions swapped; both sparse. */
    public SparseTensor transpose(int dim0, int dim1) {
        return SparseViews.transpose(this, dim0, dim1);
    }

    /** The two dimensions of a matrix swapped; of fewer, this. */
    public SparseTensor t() {
        return SparseViews.t(this);
    }

    /** The dimensions in another order; sparse ones stay before dense ones. */
    public SparseTensor permute(int... dims) {
        return SparseViews.permute(this, dims);
    }

    /** A new dimension of size one: sparse up to the place after the last sparse one, else dense. */
    public SparseTensor unsqueeze(int dim) {
        return SparseViews.unsqueeze(this, dim);
    }

    /** As PyTorch prints a sparse tensor, less {@code torch.} before names; many entries are summarised. */
    @Override
    public String toString() {
        return TensorPrinter.print(this);
    }
}
