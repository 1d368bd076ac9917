package io.github.broadloom.expr;

import io.github.broadloom.shape.Broadcasting;
import java.util.Arrays;
import java.util.List;

/**
 * The sum, over some dimensions, of the product of two operands: what matrix products and Einstein sums come down to. Both
 * operands have as many dimensions, lined up, and one dtype, which is the result's.
 *
 * <ul>
 *   <li>A <b>contracted</b> dimension has one size in both and is not in the result.
 *   <li>Any other is in the result, in its order. Where both operands have it, it is a <b>batch</b> dimension; where the right one has
 *       size one, it makes <b>rows</b>; where the left one has, <b>columns</b>.
 * </ul>
 *
 * <p>So a part of the result along any of its dimensions is the contraction of those parts of the operands that have the dimension:
 * {@link #withChildren} takes them. An element has the same bits in every such part: the products of its line, in row-major order of the
 * contracted dimensions, are summed in panels of {@value #PANEL}, in a panel one after the other from zero, each product and
 * sum rounded once ({@link Math#fma(float, float, float)}), and the panels as a pairwise tree over their number. Hence the sums
 * over parts of the contracted dimensions can be joined, too, where a part begins at a node of that tree: at a multiple of
 * {@value #PANEL} · 2ⁿ products, of which it has no more than that. float16 is summed in float32 and rounded at the end;
 * integers wrap. One NaN stands for all.
 */
public final class Contraction extends Computed {
    /** How many products are summed one after the other. */
    public static final int PANEL = 256;

    private static final long serialVersionUID = 1;

    private final Expr left;
    private final Expr right;
    private final int[] dims;

    private Contraction(Expr left, Expr right, int[] dims) {
        super(
                left.dtype(),
                Dims.reduced(Broadcasting.broadcastShapes(left.shape(), right.shape()), KeepDim.DROP, dims),
                Placement.ofAll(List.of(left, right)),
                List.of(left, right));
        this.left = left;
        this.right = right;
        this.dims = dims;
    }

    /**
     * The node.
     *
     * @param dims at least one
     * @throws IllegalArgumentException with PyTorch's text for a batched matrix product, where dtypes differ, are bool, or shapes do
     *     not go together
     */
    static Contraction of(Expr left, Expr right, int[] dims) {
        ProductErrors.checkBatchTypes(left.dtype(), right.dtype(), 0);
        int rank = left.shape().rank();
        ProductErrors.require(right.shape().rank() == rank, "number of dimensions must match");
        ProductErrors.require(
                dims.length > 0,
                "Cannot contract " + left.shape() + " with " + right.shape() + " over no dimension; multiply them");
        int[] normalized = Dims.normalize(left.shape(), dims);
        for (int dim : normalized) {
            ProductErrors.require(
                    left.shape().size(dim) == right.shape().size(dim), "non-broadcast dimensions must match");
        }
        return new Contraction(left, right, normalized);
    }

    /** The operand whose own dimensions make rows. */
    public Expr left() {
        return left;
    }

    /** The operand whose own dimensions make columns. */
    public Expr right() {
        return right;
    }

    /** The contracted dimensions of the operands, ascending, none negative; at least one. */
    public int[] dims() {
        return dims.clone();
    }

    public boolean contracts(int dim) {
        return Arrays.binarySearch(dims, dim) >= 0;
    }

    /** How many products are summed for each element of the result. */
    public long contractedCount() {
        return Dims.count(left.shape(), dims);
    }

    private record Recipe(List<Integer> dims) implements Computed.Recipe {
        @Override
        public Expr over(List<Expr> children) {
            return of(children.get(0), children.get(1), Dims.array(dims));
        }
    }

    @Override
    public Recipe recipe() {
        return new Recipe(Dims.listed(dims));
    }

    @Override
    public boolean hasIndependentRows() {
        return false;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.contraction(this);
    }

    @Override
    public String toString() {
        return "contract(…, …, dim=" + Arrays.toString(dims) + ")";
    }
}
