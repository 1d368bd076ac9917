package io.github.broadloom.plan;

import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The access of a stage whose indices stand for several of the source, or for the same ones, as segments do and places that ascend.
 *
 * @param indices that of a stage which would go over the indices
 * @param spans by dimension of the stage; null where its indices are those of the source
 */
record SpanAccess(Access indices, @Nullable Spans[] spans) implements Access {

    private Box ofIndices(Box stage) {
        Box box = stage;
        for (int d = 0; d < stage.rank(); d++) {
            @Nullable Spans along = along(d);
            if (along != null) {
                long start = along.start(box.start(d));
                long end = stage.size(d) == 0 ? start : along.end(box.end(d));
                box = box.with(d, start, Math.max(start, end)); // of a chunk before the first of them nothing
            }
        }
        return box;
    }

    @Override
    public Box box(Box stage) {
        return indices.box(ofIndices(stage));
    }

    @Override
    public Tensor moved(Tensor block, Box stage) {
        return indices.moved(block, ofIndices(stage));
    }

    @Override
    public Shape shape(Box stage) {
        return indices.shape(ofIndices(stage));
    }

    @Override
    public boolean isSame() {
        return indices.isSame();
    }

    @Override
    public boolean isPlain() {
        return indices.isPlain();
    }

    @Override
    public boolean copies() {
        return indices.copies();
    }

    @Override
    public Shape most(Shape chunk) {
        Shape most = chunk;
        for (int d = 0; d < chunk.rank(); d++) {
            @Nullable Spans along = along(d);
            most = along == null ? most : most.with(d, along.most(chunk.size(d)));
        }
        return indices.most(most);
    }

    @Override
    public boolean follows(int stageDim) {
        return indices.follows(stageDim);
    }

    /** In proportion, as if all were equally long. */
    @Override
    public long extent(int stageDim, long stageSize) {
        @Nullable Spans along = along(stageDim);
        if (along == null) {
            return indices.extent(stageDim, stageSize);
        }
        long extent = indices.extent(stageDim, along.size());
        return extent == 0 ? 0 : Math.max(1, Math.round((double) stageSize * extent / along.size()));
    }

    @Override
    public @Nullable KnownCuts cuts(ChunkGrid source, int stageDim, long stageSize) {
        @Nullable Spans along = along(stageDim);
        @Nullable KnownCuts known = indices.cuts(source, stageDim, along == null ? stageSize : along.size());
        return along == null || known == null ? known : along.cuts(known, stageSize);
    }

    /** Whether an index of that dimension of the stage is a segment of the source. */
    boolean isOfSegments(int stageDim) {
        @Nullable Spans along = along(stageDim);
        return along != null && along.followEachOther();
    }

    /** Null where an index of that dimension of the stage is one of the source's. */
    @Nullable Spans along(int stageDim) {
        return stageDim < spans.length ? spans[stageDim] : null;
    }
}
