package io.github.broadloom.plan;

import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A source in another shape: rows of the result are a range of elements in row-major order, and lie in so many whole rows of the source.
 *
 * @param source the shape of the source, or of its first rows
 * @param result the shape that it gets
 * @param above how the result is accessed
 */
record LinearAccess(Shape source, Shape result, AffineAccess above) implements Access {
    /** Empty where another view op comes before the new shape, but for one that leaves rows at the end out, or chunks are no whole rows of it. */
    static Optional<Access> of(Shape source, List<ViewOp> viewOps, Alignment alignment) {
        boolean isCropped = viewOps.size() > 1
                && viewOps.get(0) instanceof ViewOp.Crop crop
                && crop.dim() == 0
                && crop.start() == 0
                && crop.step() == 1;
        int first = isCropped ? 1 : 0;
        if (viewOps.size() <= first || !(viewOps.get(first) instanceof ViewOp.Reshape reshape) || source.rank() == 0) {
            return Optional.empty();
        }
        Shape rows = isCropped ? viewOps.get(0).apply(source) : source;
        Shape result = reshape.apply(rows);
        return AffineAccess.of(result, viewOps.subList(first + 1, viewOps.size()), alignment)
                .filter(above -> result.rank() > 0)
                .map(above -> new LinearAccess(rows, result, above));
    }

    @Override
    public Box box(Box stage) {
        Box rows = above.box(stage);
        long rowElements = Math.max(1, source.inner().numel());
        long first = firstElement(rows);
        long end = rows.end(0) * result.inner().numel();
        long row = first / rowElements;
        return Box.whole(source).with(0, row, end <= first ? row : (end + rowElements - 1) / rowElements);
    }

    private long firstElement(Box rows) {
        return rows.start(0) * result.inner().numel();
    }

    @Override
    public Tensor moved(Tensor block, Box stage) {
        Box rows = above.box(stage);
        Box read = box(stage);
        long before = read.start(0) * source.inner().numel();
        long skipped = rows.size(0) == 0 ? 0 : firstElement(rows) - before;
        Shape whole = result.with(0, rows.size(0));
        Tensor reshaped = block.flatten().narrow(0, skipped, whole.numel()).view(whole.toArray());
        Box got = Box.at(Box.whole(result).with(0, rows.start(0), rows.start(0)).starts(), whole);
        return above.moved(rows.of(reshaped, got), stage);
    }

    @Override
    public boolean copies() {
        return above.copies();
    }

    @Override
    public Shape most(Shape chunk) {
        long elements = above.most(chunk).size(0) * result.inner().numel();
        long rowElements = Math.max(1, source.inner().numel());
        long rows = (elements + rowElements - 1) / rowElements + 1;
        return source.with(0, Math.min(source.size(0), rows));
    }

    @Override
    public Shape shape(Box stage) {
        return above.shape(stage);
    }

    @Override
    public boolean isSame() {
        return above.isSame();
    }

    @Override
    public boolean isPlain() {
        return false;
    }

    @Override
    public boolean follows(int stageDim) {
        return above.follows(stageDim);
    }

    @Override
    public long extent(int stageDim, long stageSize) {
        return above.extent(stageDim, stageSize);
    }

    @Override
    public @Nullable KnownCuts cuts(ChunkGrid source, int stageDim, long stageSize) {
        return null;
    }
}
