package io.github.broadloom.plan;

import io.github.broadloom.expr.IndexMap;
import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A source whose every dimension is indexed by an affine function of one index of the stage, or by a range that is the same for every chunk. */
final class AffineAccess implements Access {
    private static final long serialVersionUID = 1L;

    private final ViewOp[] viewOps;
    /** Before the first view op, and after each. */
    private final Line[][] lines;

    private AffineAccess(ViewOp[] viewOps, Line[][] lines) {
        this.viewOps = viewOps;
        this.lines = lines;
    }

    /** As {@link Access#of}. */
    static Optional<AffineAccess> of(Shape source, List<ViewOp> viewOps, Alignment alignment) {
        List<Shape> shapes = new ArrayList<>(List.of(source));
        for (ViewOp viewOp : viewOps) {
            shapes.add(viewOp.apply(shapes.get(shapes.size() - 1)));
        }
        Line[][] lines = new Line[shapes.size()][];
        Line @Nullable [] above = own(shapes.get(viewOps.size()), alignment);
        lines[viewOps.size()] = above;
        for (int i = viewOps.size() - 1; i >= 0; i--) {
            above = before(above, shapes.get(i), shapes.get(i + 1), viewOps.get(i));
            if (above == null) {
                return Optional.empty();
            }
            lines[i] = above;
        }
        widen(lines, shapes, viewOps);
        return Optional.of(new AffineAccess(viewOps.toArray(ViewOp[]::new), lines));
    }

    private static Line[] own(Shape shape, Alignment alignment) {
        Line[] lines = new Line[shape.rank()];
        Arrays.setAll(lines, d -> Line.own(shape.size(d), alignment, d));
        return lines;
    }

    /** The lines before a view op whose result has the lines {@code above}; null where they are not straight, because a chunk needs a part of a new shape. */
    private static Line @Nullable [] before(Line[] above, Shape operand, Shape result, ViewOp viewOp) {
        IndexMap[] maps = viewOp.indexMaps(operand);
        for (int d : made(maps, result)) {
            boolean isInWindows = viewOp instanceof ViewOp.Unfold unfold
                    && (above[unfold.dim()].isFree() || unfold.step() == unfold.size());
            if (!above[d].isFree() && result.size(d) != 1 && !isInWindows) {
                return null;
            }
        }
        Line[] before = new Line[maps.length];
        Arrays.setAll(
                before,
                d -> maps[d].isAll()
                        ? Line.all(operand.size(d))
                        : above[maps[d].dim()].before(maps[d], operand.size(d)));
        if (viewOp instanceof ViewOp.Unfold unfold
                && !above[result.rank() - 1].isFree()
                && above[unfold.dim()].isFree()) {
            int dim = unfold.dim();
            before[dim] = above[result.rank() - 1].inWindows(above[dim], unfold.step(), operand.size(dim));
        }
        return before;
    }

    /** The dimensions of a view op's result that are none of its operand. */
    private static int[] made(IndexMap[] maps, Shape result) {
        return IntStream.range(0, result.rank())
                .filter(d -> Arrays.stream(maps).noneMatch(map -> map.dim() == d))
                .toArray();
    }

    /** What comes whole out of a new shape stays whole until it is cropped. */
    private static void widen(Line[][] lines, List<Shape> shapes, List<ViewOp> viewOps) {
        boolean[] whole = new boolean[shapes.get(0).rank()];
        for (int i = 0; i < viewOps.size(); i++) {
            Shape result = shapes.get(i + 1);
            whole = wholeAfter(viewOps.get(i), whole, shapes.get(i), result);
            for (int d = 0; d < whole.length; d++) {
                lines[i + 1][d] = whole[d] && lines[i + 1][d].isFree() ? Line.all(result.size(d)) : lines[i + 1][d];
            }
        }
    }

    private static boolean[] wholeAfter(ViewOp viewOp, boolean[] whole, Shape operand, Shape result) {
        IndexMap[] maps = viewOp.indexMaps(operand);
        boolean[] after = new boolean[result.rank()];
        for (int d : made(maps, result)) {
            after[d] = true;
        }
        for (int d = 0; d < maps.length; d++) {
            int to = maps[d].dim();
            if (!maps[d].isAll()) {
                after[to] = whole[d] && result.size(to) == operand.size(d);
            }
        }
        return after;
    }

    /** Nothing where the operand has no element: a dimension that a view op put in front of the source's own may have no index in a chunk. */
    @Override
    public Box box(Box stage) {
        Box block = box(lines[0], stage);
        return isMovedAway(stage) ? Box.of(block.starts(), block.starts()) : block;
    }

    private boolean isMovedAway(Box stage) {
        return viewOps.length > 0 && box(lines[viewOps.length], stage).isEmpty();
    }

    private static Box box(Line[] lines, Box stage) {
        long[] starts = new long[lines.length];
        long[] ends = new long[lines.length];
        for (int d = 0; d < lines.length; d++) {
            starts[d] = lines[d].start(stage);
            ends[d] = lines[d].end(stage);
        }
        return Box.of(starts, ends);
    }

    @Override
    public Tensor moved(Tensor block, Box stage) {
        if (isMovedAway(stage)) {
            return Tensors.empty(block.dtype(), shape(stage));
        }
        Tensor moved = block;
        for (int i = 0; i < viewOps.length; i++) {
            moved = moved(moved, viewOps[i], lines[i], lines[i + 1], stage);
        }
        return moved;
    }

    /** What a view op makes of the part of its operand that a chunk has. */
    private static Tensor moved(Tensor part, ViewOp viewOp, Line[] before, Line[] after, Box stage) {
        if (viewOp instanceof ViewOp.Crop crop) {
            Line from = before[crop.dim()];
            Line to = after[crop.dim()];
            long count = to.end(stage) - to.start(stage);
            long start = crop.start() + crop.step() * to.start(stage) - from.start(stage);
            long stop = count == 0 ? start : start + crop.step() * (count - 1) + 1;
            return new ViewOp.Crop(crop.dim(), start, stop, crop.step()).apply(part);
        }
        if (viewOp instanceof ViewOp.Unfold unfold) {
            Line window = after[after.length - 1];
            long size = window.end(stage) - window.start(stage);
            boolean hasWhole = !window.isFree() && !after[unfold.dim()].isFree();
            return hasWhole // the part has whole windows, of which the chunk needs a part
                    ? unfold.apply(part).narrow(part.rank(), window.start(stage), size)
                    : new ViewOp.Unfold(unfold.dim(), size, unfold.step()).apply(part);
        }
        return viewOp.apply(part);
    }

    @Override
    public Shape shape(Box stage) {
        return box(lines[viewOps.length], stage).shape();
    }

    @Override
    public boolean isSame() {
        return Arrays.stream(lines[viewOps.length]).allMatch(Line::isFree);
    }

    @Override
    public boolean isPlain() {
        return viewOps.length == 0;
    }

    @Override
    public boolean copies() {
        boolean apart = false;
        for (ViewOp viewOp : viewOps) {
            if (viewOp instanceof ViewOp.Flip || viewOp instanceof ViewOp.Reshape && apart) {
                return true;
            }
            apart |= viewOp instanceof ViewOp.Permute || viewOp instanceof ViewOp.Crop;
        }
        return false;
    }

    @Override
    public boolean follows(int stageDim) {
        return dim(stageDim) >= 0;
    }

    /** The source's dimension along which an index of the stage view ops, or -1. */
    private int dim(int stageDim) {
        for (int d = 0; d < lines[0].length; d++) {
            if (lines[0][d].stageDim() == stageDim) {
                return d;
            }
        }
        return -1;
    }

    @Override
    public Shape most(Shape chunk) {
        return Shape.of(
                Arrays.stream(lines[0]).mapToLong(line -> line.most(chunk)).toArray());
    }

    @Override
    public long extent(int stageDim, long stageSize) {
        int dim = dim(stageDim);
        Line line = dim < 0 ? Line.all(stageSize) : lines[0][dim];
        return line.isFree() ? stageSize : Math.max(0, line.lastStage(stageSize) - line.firstStage() + 1);
    }

    @Override
    public @Nullable KnownCuts cuts(ChunkGrid source, int stageDim, long stageSize) {
        int dim = dim(stageDim);
        boolean known = dim >= 0 && (source.cuts(dim) || source.chunks() == 1);
        if (!known || !lines[0][dim].tellsCuts() || extent(stageDim, stageSize) == 0) {
            return null;
        }
        Line line = lines[0][dim];
        RowGrid along = source.along(dim);
        long first = line.firstStage();
        long end = line.lastStage(stageSize) + 1;
        LongStream cuts = IntStream.range(1, along.chunks()).mapToLong(i -> line.stageCut(along.start(i)));
        LongStream inside = cuts.filter(cut -> cut > first && cut < end).sorted();
        return new KnownCuts(LongStream.concat(LongStream.concat(LongStream.of(first), inside), LongStream.of(end))
                .toArray());
    }
}
