package io.github.broadloom.plan;

import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Which block of a source a chunk of a stage needs, and how the block's elements lie in the operand. */
public interface Access extends Serializable {
    /**
     * The access to a source whose elements reach the expression through {@code viewOps}, the first of which is made first, and whose
     * result is aligned so.
     *
     * @return empty where a chunk of the result is no block of the source
     */
    static Optional<Access> of(Shape source, List<ViewOp> viewOps, Alignment alignment) {
        Optional<@Nullable Spans[]> spans = alignment.spans();
        if (spans.isPresent()) {
            return of(source, viewOps, alignment.ofIndices()).map(indices -> new SpanAccess(indices, spans.get()));
        }
        Optional<AffineAccess> affine = AffineAccess.of(source, viewOps, alignment);
        if (affine.isEmpty()) {
            List<ViewOp> single = SplitShapes.asWindows(source, viewOps);
            affine = single.equals(viewOps) ? affine : AffineAccess.of(source, single, alignment);
        }
        return affine.isPresent() ? Optional.of(affine.get()) : LinearAccess.of(source, viewOps, alignment);
    }

    /** The access of the chunks of a tensor to the tensor itself, along whichever dimensions it is cut. */
    static Access same(Shape shape) {
        int[] all = IntStream.range(0, shape.rank()).toArray();
        return of(shape, List.of(), Alignment.own(shape.rank(), all)).orElseThrow();
    }

    Box box(Box stage);

    /** The operand of a chunk, of the source's elements at {@code box(stage)}: a view where there is one. */
    Tensor moved(Tensor block, Box stage);

    Shape shape(Box stage);

    /** Whether every chunk has the same operand: also where all need the whole source, those have nothing of it that it does not reach. */
    boolean isSame();

    /** Whether the operand is the block as it is. */
    boolean isPlain();

    /** Whether no view of the block has the operand's elements in their order. */
    boolean copies();

    /** The sizes of a box in which the block of every chunk fits that is no larger than {@code chunk}. */
    Shape most(Shape chunk);

    /** Whether an index of that dimension of the stage chooses among the source's elements. */
    boolean follows(int stageDim);

    /** For how many indices of a dimension of the stage, which has that size, there are elements of the source. */
    long extent(int stageDim, long stageSize);

    /** Where cuts of the source fall along a dimension of the stage; null where they tell nothing. */
    @Nullable KnownCuts cuts(ChunkGrid source, int stageDim, long stageSize);
}
