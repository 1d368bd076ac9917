package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import java.util.ArrayList;
import java.util.List;

/**
 * Elements whose places are looked up: what indexing by integer tensors comes down to. Some neighbouring dimensions of the operand are indexed, each by a
 * tensor of its own; in the result one dimension stands for them, as long as the indices are. Along all other dimensions the operand and the indices are
 * lined up and broadcast: <pre>result[…, j, …] = operand[…, index₁[…, j, …], …, indexₖ[…, j, …], …]</pre>
 *
 * <p>So a part of the result along any dimension is that of the same part of all children that have the dimension, but for the operand where the dimension is that
 * of the indices: of that it needs all. Indices are looked at when the elements are computed; one out of range is an {@link IndexOutOfBoundsException} with PyTorch's text.
 */
public final class Gather extends Computed {
    private static final long serialVersionUID = 1;

    private final int dim;
    private final Negative negative;

    /** What an index below zero means. */
    public enum Negative {
        /** It counts from the end, as between brackets. */
        FROM_END,
        /** It is out of range, as PyTorch's {@code gather} and {@code index_select} have it. */
        REFUSED
    }

    private Gather(List<Expr> children, int dim, Negative negative, Shape shape) {
        super(children.get(0).dtype(), shape, device(children, negative), children);
        this.dim = dim;
        this.negative = negative;
    }

    private static Device device(List<Expr> children, Negative negative) {
        return negative == Negative.FROM_END
                ? Placement.ofIndexed(children.get(0), children.subList(1, children.size()))
                : Placement.ofAll(children);
    }

    /**
     * The node.
     *
     * @param dim the first indexed dimension, not negative
     * @param indices one for each indexed dimension, int64, of the rank of the result
     * @throws IllegalArgumentException with PyTorch's text, where other dimensions do not broadcast
     */
    static Gather of(Expr operand, int dim, List<Expr> indices, Negative negative) {
        List<Expr> children = new ArrayList<>();
        children.add(operand);
        children.addAll(indices);
        return of(children, dim, negative);
    }

    private static Gather of(List<Expr> children, int dim, Negative negative) {
        List<Expr> indices = children.subList(1, children.size());
        Shape index =
                Broadcasting.broadcastShapes(indices.stream().map(Expr::shape).toArray(Shape[]::new));
        Shape aligned = aligned(children.get(0).shape(), dim, indices.size());
        ProductErrors.require(
                index.rank() == aligned.rank() && indices.stream().allMatch(each -> each.dtype() == DType.INT64),
                "Cannot look up elements of " + children.get(0).shape() + " by indices of " + index
                        + ": give int64 indices of rank " + aligned.rank());
        Shape shape = Broadcasting.broadcastShapes(aligned, index.with(dim, 1)).with(dim, index.size(dim));
        return new Gather(List.copyOf(children), dim, negative, shape);
    }

    /** The operand's shape with one dimension of size one in the place of those that are indexed. */
    private static Shape aligned(Shape operand, int dim, int indexed) {
        return operand.dims(0, dim).concat(Shape.of(1)).concat(operand.dims(dim + indexed, operand.rank()));
    }

    public Expr operand() {
        return children().get(0);
    }

    /** One for each indexed dimension of the operand, in their order. */
    public List<Expr> indices() {
        return children().subList(1, children().size());
    }

    /** The first of the operand's dimensions that are indexed, and the one of the result that stands for them. */
    public int dim() {
        return dim;
    }

    /** Of an index that is out of range: between brackets PyTorch counts the indices, elsewhere the dimensions. */
    private String outOfBounds(long index, int position) {
        int counted = negative == Negative.FROM_END ? position : dim + position;
        return Picking.outOfBounds(index, counted, operand().shape().size(dim + position));
    }

    /**
     * The place that an index means, along the dimension at that position among the indexed ones, which has that size.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, where there is none
     */
    public long placeOf(long index, int position, long size) {
        long counted = index < 0 && negative == Negative.FROM_END ? index + size : index;
        if (counted < 0 || counted >= size) {
            throw new IndexOutOfBoundsException(outOfBounds(index, position));
        }
        return counted;
    }

    public Negative negative() {
        return negative;
    }

    /** The result's dimension that goes with one of the operand's; -1 for those that are indexed. */
    public int placeOf(int operandDim) {
        int indexed = indices().size();
        return operandDim < dim ? operandDim : operandDim < dim + indexed ? -1 : operandDim - indexed + 1;
    }

    /** Whether indices differ along their own dimension alone, so that whole parts of the operand are looked up. */
    public boolean isOfParts() {
        return indices().stream()
                .allMatch(index -> index.shape().numel() == index.shape().size(dim));
    }

    /** As many elements of the operand, each of whose dimensions is indexed by a vector. */
    public Gather ofElements() {
        List<Expr> children = new ArrayList<>(List.of(operand()));
        for (int d = 0; d < operand().shape().rank(); d++) {
            children.add(Input.of("places", DType.INT64, Shape.of(shape().numel())));
        }
        return of(children, 0, negative);
    }

    record Recipe(int dim, Negative negative) implements Computed.Recipe {
        /** The same behind one more dimension. */
        Recipe behindFirst() {
            return new Recipe(dim + 1, negative);
        }

        @Override
        public Expr over(List<Expr> children) {
            return of(children, dim, negative);
        }
    }

    @Override
    public Recipe recipe() {
        return new Recipe(dim, negative);
    }

    @Override
    public boolean hasIndependentRows() {
        return false;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.gather(this);
    }

    @Override
    public String toString() {
        return "gather(…, dim=" + dim + ")";
    }
}
