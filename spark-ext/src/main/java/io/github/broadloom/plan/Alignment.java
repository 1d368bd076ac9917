package io.github.broadloom.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Move;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.Optional;

/**
 * For each dimension of a node of a stage's expression the dimension of what the stage goes over along which it is cut, and how far ahead of it the
 * node's own index is; {@link #NONE} where a chunk needs all of the dimension.
 */
final class Alignment {
    static final int NONE = -1;

    private final int[] dims;
    private final long[] offsets;

    private Alignment(int[] dims, long[] offsets) {
        this.dims = dims;
        this.offsets = offsets;
    }

    private Alignment(int... dims) {
        this(dims, new long[dims.length]);
    }

    /** Of what the stage goes over itself, where it is cut along these dimensions. */
    static Alignment own(int rank, int... cutDims) {
        int[] dims = new int[rank];
        Arrays.fill(dims, NONE);
        for (int dim : cutDims) {
            dims[dim] = dim;
        }
        return new Alignment(dims);
    }

    /** Of an operand of which that dimension alone is cut, as the one dimension of what the stage goes over is. */
    static Alignment along(int rank, int dim) {
        int[] dims = new int[rank];
        Arrays.fill(dims, NONE);
        dims[dim] = 0;
        return new Alignment(dims);
    }

    int rank() {
        return dims.length;
    }

    /** The dimension of the stage along which that dimension is cut. */
    int of(int dim) {
        return dims[dim];
    }

    /** What is added to an index of the stage. */
    long offset(int dim) {
        return offsets[dim];
    }

    /** Whether a chunk needs everything. */
    boolean isFree() {
        return Arrays.stream(dims).allMatch(d -> d == NONE);
    }

    /**
     * How the child at that position of a node is aligned where the node is aligned like this; empty where the chunks of the node are not computed from
     * chunks of the child, or of all of it.
     */
    Optional<Alignment> ofChild(Expr node, int position) {
        Expr child = node.children().get(position);
        if (node instanceof Reduce reduce) {
            return Optional.of(reduced(child.shape().rank(), reduce.dims(), reduce.keepDim()));
        }
        if (node instanceof Along along) {
            if (along.op().kind().isScan()) {
                return isThrough(along) ? Optional.empty() : Optional.of(this);
            }
            return Optional.of(reduced(child.shape().rank(), along.dims(), along.keepDim()));
        }
        if (node instanceof Contraction contraction) {
            return Optional.of(contracted(child.shape(), contraction));
        }
        if (node instanceof Rearrange rearrange) {
            return moved(child.shape(), rearrange.move());
        }
        if (node instanceof Concat concat) {
            return Optional.of(behind(concat, position));
        }
        return Optional.of(broadcast(child.shape(), node.shape()));
    }

    /** Whether the node's lines run along a dimension that is cut, so that chunks cannot be computed by themselves. */
    boolean isThrough(Expr node) {
        return node instanceof Along along
                && along.op().kind().isScan()
                && Arrays.stream(along.dims()).anyMatch(d -> dims[d] != NONE);
    }

    /** The dimensions of a child: where each of them is in the node, {@link #NONE} where it is not. */
    private Alignment from(int[] places) {
        int[] childDims = new int[places.length];
        long[] childOffsets = new long[places.length];
        for (int d = 0; d < places.length; d++) {
            childDims[d] = places[d] == NONE ? NONE : dims[places[d]];
            childOffsets[d] = places[d] == NONE ? 0 : offsets[places[d]];
        }
        return new Alignment(childDims, childOffsets);
    }

    private Alignment reduced(int rank, int[] reducedDims, boolean keepDim) {
        int[] places = new int[rank];
        int kept = 0;
        for (int d = 0; d < rank; d++) {
            boolean reduced = Arrays.binarySearch(reducedDims, d) >= 0;
            places[d] = reduced ? NONE : kept;
            kept += reduced && !keepDim ? 0 : 1;
        }
        return from(places);
    }

    /** All of the contracted dimensions, and of the others those that the operand has. */
    private Alignment contracted(Shape operand, Contraction contraction) {
        int[] places = new int[operand.rank()];
        int place = 0;
        for (int d = 0; d < places.length; d++) {
            boolean kept = !contraction.contracts(d);
            places[d] = kept && operand.size(d) == contraction.shape().size(place) ? place : NONE;
            place += kept ? 1 : 0;
        }
        return from(places);
    }

    private Alignment broadcast(Shape child, Shape node) {
        int[] places = new int[child.rank()];
        int missing = node.rank() - child.rank();
        for (int d = 0; d < places.length; d++) {
            places[d] = child.size(d) == node.size(d + missing) ? d + missing : NONE;
        }
        return from(places);
    }

    /** Of the parts that follow each other, each begins where those before it end. */
    private Alignment behind(Concat concat, int position) {
        long before = 0;
        for (Expr part : concat.children().subList(0, position)) {
            before += part.shape().size(concat.dim());
        }
        long[] shifted = offsets.clone();
        shifted[concat.dim()] -= before;
        return new Alignment(dims, shifted);
    }

    private Optional<Alignment> moved(Shape child, Move move) {
        int[] places = new int[child.rank()];
        if (move instanceof Move.Permute permute) {
            int[] from = permute.dims();
            for (int d = 0; d < from.length; d++) {
                places[from[d]] = d;
            }
            return Optional.of(from(places));
        }
        if (move instanceof Move.Unsqueeze unsqueeze) {
            Arrays.setAll(places, d -> d < unsqueeze.dim() ? d : d + 1);
            return Optional.of(from(places));
        }
        if (move instanceof Move.Squeeze squeeze) {
            Arrays.setAll(places, d -> d == squeeze.dim() ? NONE : d < squeeze.dim() ? d : d - 1);
            return Optional.of(from(places));
        }
        if (move instanceof Move.Reshape reshape) {
            Arrays.setAll(places, d -> d < reshape.kept() ? d : NONE);
            boolean others = Arrays.stream(dims, reshape.kept(), dims.length).allMatch(d -> d == NONE);
            return others ? Optional.of(from(places)) : Optional.empty();
        }
        int[] touched = move instanceof Move.Flip flip ? flip.dims() : new int[] {((Move.Crop) move).dim()};
        boolean free = Arrays.stream(touched).allMatch(d -> dims[d] == NONE);
        return free ? Optional.of(this) : Optional.empty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Alignment alignment
                && Arrays.equals(dims, alignment.dims)
                && Arrays.equals(offsets, alignment.offsets);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(dims) + Arrays.hashCode(offsets);
    }

    @Override
    public String toString() {
        return Arrays.toString(dims);
    }
}
