package io.github.broadloom.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Filter;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.IndexMap;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.KnownTensor;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Search;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * For each dimension of a node of a stage's expression the dimension of what the stage goes over along which it is cut, what its indices stand for in the node, if they stand for
 * spans of it, and how far ahead of that the node's own index is; {@link #NONE} where a chunk needs all of the dimension.
 */
final class Alignment {
    static final int NONE = -1;

    private final int[] dims;
    private final long[] offsets;
    private final @Nullable Spans[] spans;

    private Alignment(int[] dims, long[] offsets, @Nullable Spans[] spans) {
        this.dims = dims;
        this.offsets = offsets;
        this.spans = spans;
    }

    private Alignment(int rank) {
        this(new int[rank], new long[rank], new Spans[rank]);
        Arrays.fill(dims, NONE);
    }

    /** Of what the stage goes over itself, where it is cut along these dimensions. */
    static Alignment own(int rank, int... cutDims) {
        Alignment own = new Alignment(rank);
        for (int dim : cutDims) {
            own.dims[dim] = dim;
        }
        return own;
    }

    /** Of an operand of which that dimension alone is cut, as the one dimension of what the stage goes over is. */
    static Alignment along(int rank, int dim) {
        Alignment along = new Alignment(rank);
        along.dims[dim] = 0;
        return along;
    }

    /** The dimension of the stage along which that dimension is cut. */
    int of(int dim) {
        return dims[dim];
    }

    /** Whether every chunk of the stage needs all of it. */
    boolean isOfAll() {
        return Arrays.stream(dims).allMatch(dim -> dim == NONE);
    }

    /** What is added to an index of the stage, or to the start of what it stands for. */
    long offset(int dim) {
        return offsets[dim];
    }

    /** By dimension of the stage; empty where its indices stand for no spans of this. */
    Optional<@Nullable Spans[]> spans() {
        if (Arrays.stream(spans).allMatch(Objects::isNull)) {
            return Optional.empty();
        }
        @Nullable Spans[] byStage = new Spans[Arrays.stream(dims).max().orElse(NONE) + 1];
        for (int d = 0; d < dims.length; d++) {
            if (dims[d] != NONE) {
                byStage[dims[d]] = spans[d];
            }
        }
        return Optional.of(byStage);
    }

    /** The same of a stage that goes over the indices of spans. */
    Alignment ofIndices() {
        return new Alignment(dims, offsets, new Spans[dims.length]);
    }

    /**
     * How the child at that position of a node is aligned where the node is aligned like this; empty where the chunks of the node are not computed from
     * chunks of the child, or of all of it.
     */
    Optional<Alignment> ofChild(Expr node, int position) {
        return isThrough(node) ? Optional.empty() : node.accept(new OfChild(position));
    }

    /** Where the elements of each kind of node come from. */
    private final class OfChild implements Expr.Visitor<Optional<Alignment>> {
        private final int position;

        OfChild(int position) {
            this.position = position;
        }

        @Override
        public Optional<Alignment> input(Input input) {
            throw new IllegalStateException("An input has no operand: " + input);
        }

        @Override
        public Optional<Alignment> literal(Literal literal) {
            throw new IllegalStateException("A number has no operand: " + literal);
        }

        @Override
        public Optional<Alignment> apply(Apply apply) {
            return Optional.of(broadcast(apply.children().get(position).shape(), apply.shape()));
        }

        @Override
        public Optional<Alignment> cast(Cast cast) {
            return Optional.of(Alignment.this);
        }

        @Override
        public Optional<Alignment> reduce(Reduce reduce) {
            return Optional.of(reduced(reduce.operand().shape().rank(), reduce.keepDim(), reduce.dims()));
        }

        @Override
        public Optional<Alignment> along(Along along) {
            boolean stays = along.op().leavesLine();
            return Optional.of(
                    stays ? Alignment.this : reduced(along.operand().shape().rank(), along.keepDim(), along.dims()));
        }

        @Override
        public Optional<Alignment> rearrange(Rearrange rearrange) {
            return moved(rearrange.operand().shape(), rearrange);
        }

        @Override
        public Optional<Alignment> concat(Concat concat) {
            return Optional.of(behind(concat, position));
        }

        @Override
        public Optional<Alignment> contraction(Contraction contraction) {
            return Optional.of(contracted(contraction.children().get(position).shape(), contraction));
        }

        @Override
        public Optional<Alignment> grouped(Grouped grouped) {
            Shape child = grouped.children().get(position).shape();
            if (grouped.by() == Grouped.By.LABELS) {
                return Optional.of(lines(child, grouped));
            }
            return Optional.of(position == 0 ? ofSegments(grouped) : broadcast(child, grouped.shape()));
        }

        @Override
        public Optional<Alignment> filter(Filter filter) {
            throw new IllegalStateException("A stage of its own picks rows: " + filter);
        }

        @Override
        public Optional<Alignment> search(Search search) {
            return Optional.of(position == 0 ? searched(search) : Alignment.this);
        }

        @Override
        public Optional<Alignment> gather(Gather gather) {
            Shape child = gather.children().get(position).shape();
            return Optional.of(position == 0 ? lookedUp(child, gather, false) : broadcast(child, gather.shape()));
        }
    }

    /** Whether the node's lines run along a dimension that is cut, or leave one index of it, so that chunks cannot be computed by themselves. */
    boolean isThrough(Expr node) {
        if (node instanceof Along along) {
            return (along.op().leavesLine() || along.keepDim().keeps()) && isCut(along.dims());
        }
        if (node instanceof Grouped grouped) {
            return grouped.by() == Grouped.By.LABELS && isCut(grouped.dim());
        }
        return node instanceof Reduce reduce && reduce.keepDim().keeps() && isCut(reduce.dims());
    }

    private boolean isCut(int... which) {
        return Arrays.stream(which).anyMatch(d -> dims[d] != NONE);
    }

    /** The dimensions of a child: where each of them is in the node, {@link #NONE} where it is not. */
    private Alignment from(int[] places) {
        int[] childDims = new int[places.length];
        long[] childOffsets = new long[places.length];
        @Nullable Spans[] childSpans = new Spans[places.length];
        for (int d = 0; d < places.length; d++) {
            childDims[d] = places[d] == NONE ? NONE : dims[places[d]];
            childOffsets[d] = places[d] == NONE ? 0 : offsets[places[d]];
            childSpans[d] = places[d] == NONE ? null : spans[places[d]];
        }
        return new Alignment(childDims, childOffsets, childSpans);
    }

    private Alignment reduced(int rank, KeepDim keepDim, int... reducedDims) {
        int[] places = new int[rank];
        int kept = 0;
        for (int d = 0; d < rank; d++) {
            boolean reduced = Arrays.binarySearch(reducedDims, d) >= 0;
            places[d] = reduced ? NONE : kept;
            kept += reduced && !keepDim.keeps() ? 0 : 1;
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

    /** All of the dimension whose indices are grouped. */
    private Alignment lines(Shape child, Grouped grouped) {
        int[] places = new int[child.rank()];
        for (int d = 0; d < places.length; d++) {
            boolean follows =
                    d != grouped.dim() && child.size(d) == grouped.shape().size(d);
            places[d] = follows ? d : NONE;
        }
        return from(places);
    }

    /** The indices of the segments. */
    private Alignment ofSegments(Grouped grouped) {
        int dim = grouped.dim();
        if (dims[dim] == NONE) {
            return this;
        }
        Tensor ends = ((KnownTensor) ((Input) grouped.told()).source()).unchanged();
        return spanned(dim, Spans.ofSegments(ends));
    }

    /** Of the operand of a gather along one dimension, whose indices ascend: a chunk needs what lies between those of its first and its last index. */
    Alignment ofPlaces(Gather gather, Spans places) {
        Alignment all = lookedUp(gather.operand().shape(), gather, true);
        return all.spanned(gather.dim(), places);
    }

    /** Where each index of a dimension stands for a span of it. */
    private Alignment spanned(int dim, Spans below) {
        @Nullable Spans above = spans[dim];
        @Nullable Spans[] all = spans.clone();
        long[] begun = offsets.clone();
        all[dim] = above == null ? below.from(offsets[dim]) : above.over(below, offsets[dim]);
        begun[dim] = 0;
        return new Alignment(dims, begun, all);
    }

    /** Whether chunks may have indices of that dimension in common, of which each stands for a span. */
    boolean isShared(int dim) {
        Spans along = spans[dim];
        return along != null && !along.followEachOther();
    }

    /** All of each line. */
    private Alignment searched(Search search) {
        Shape lines = search.lines().shape();
        int[] places = new int[lines.rank()];
        for (int d = 0; d < places.length; d++) {
            boolean follows =
                    d < places.length - 1 && lines.size(d) == search.shape().size(d);
            places[d] = follows ? d : NONE;
        }
        return from(places);
    }

    /** All of the dimensions that are indexed; but of the first of these what its indices are, where {@code byIndex}. */
    private Alignment lookedUp(Shape operand, Gather gather, boolean byIndex) {
        int[] places = new int[operand.rank()];
        for (int d = 0; d < places.length; d++) {
            int place = byIndex && d == gather.dim() ? d : gather.placeOf(d);
            boolean follows = place >= 0
                    && (d == gather.dim() || operand.size(d) == gather.shape().size(place));
            places[d] = follows ? place : NONE;
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
        return new Alignment(dims, shifted, spans);
    }

    /** Chunks of a move's result are moved chunks of its operand where indices along the dimensions that are cut stay what they are. */
    private Optional<Alignment> moved(Shape child, Rearrange rearrange) {
        Shape result = rearrange.shape();
        IndexMap[] maps = rearrange.viewOp().indexMaps(child);
        int[] places = new int[maps.length];
        boolean[] kept = new boolean[dims.length];
        for (int d = 0; d < maps.length; d++) {
            places[d] = maps[d].isAll() ? NONE : maps[d].dim();
            if (!maps[d].isAll()) {
                kept[places[d]] = maps[d].keepsIndices() && result.size(places[d]) == child.size(d);
            }
        }
        boolean straight = IntStream.range(0, dims.length).allMatch(d -> dims[d] == NONE || kept[d]);
        return straight ? Optional.of(from(places)) : Optional.empty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Alignment alignment
                && Arrays.equals(dims, alignment.dims)
                && Arrays.equals(offsets, alignment.offsets)
                && Arrays.equals(spans, alignment.spans);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(new int[] {Arrays.hashCode(dims), Arrays.hashCode(offsets), Arrays.hashCode(spans)});
    }
}
