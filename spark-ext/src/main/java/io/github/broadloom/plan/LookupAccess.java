package io.github.broadloom.plan;

import io.github.broadloom.expr.Gather;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The access to the operand of a {@link Gather} of a chunk that asks for what its indices name: which elements those are nobody knows before. */
final class LookupAccess implements Access {
    private static final long serialVersionUID = 1L;

    private final Shape source;
    /** The dimension of the stage that stands for those that are indexed. */
    private final int dim;

    /** Of the source. */
    private final int indexed;

    private final boolean ofParts;

    private LookupAccess(Shape source, int dim, int indexed, boolean ofParts) {
        this.source = source;
        this.dim = dim;
        this.indexed = indexed;
        this.ofParts = ofParts;
    }

    static LookupAccess of(Gather gather) {
        boolean ofParts = gather.isOfParts();
        int indexed =
                ofParts ? gather.indices().size() : gather.operand().shape().rank();
        return new LookupAccess(gather.operand().shape(), gather.dim(), indexed, ofParts);
    }

    /** The bytes of what is asked: the indices, and where what they name belongs. */
    static long askedBytes(Gather gather) {
        return of(gather).askedBytes(gather.shape());
    }

    /** As {@link #askedBytes(Gather)}, of a chunk of that size. */
    long askedBytes(Shape chunk) {
        return Sizes.saturated(ofParts ? chunk.size(dim) : chunk.numel(), (1L + indexed) * Long.BYTES);
    }

    @Override
    public Box box(Box stage) {
        return stage.isEmpty() ? Box.whole(Shape.of(new long[source.rank()])) : Box.whole(source);
    }

    @Override
    public Tensor moved(Tensor block, Box stage) {
        return block;
    }

    @Override
    public Shape shape(Box stage) {
        return source;
    }

    @Override
    public boolean isSame() {
        return false;
    }

    @Override
    public boolean isPlain() {
        return false;
    }

    @Override
    public boolean copies() {
        return false;
    }

    /** As many elements as there are indices, and nothing more than one that is repeated. */
    @Override
    public Shape most(Shape chunk) {
        if (dim >= chunk.rank()) {
            return source;
        }
        if (!ofParts) {
            return Shape.ones(source.rank()).with(0, chunk.numel());
        }
        return Shape.of(IntStream.range(0, source.rank())
                .mapToLong(d -> d == dim ? chunk.size(dim) : d > dim && d < dim + indexed ? 1 : source.size(d))
                .toArray());
    }

    @Override
    public boolean follows(int stageDim) {
        return stageDim == dim;
    }

    @Override
    public long extent(int stageDim, long stageSize) {
        return stageSize;
    }

    @Override
    public @Nullable KnownCuts cuts(ChunkGrid source, int stageDim, long stageSize) {
        return null;
    }
}
