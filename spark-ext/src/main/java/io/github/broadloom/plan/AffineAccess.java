package io.github.broadloom.plan;

import io.github.broadloom.expr.Move;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A source whose every dimension is indexed by an affine function of one index of the stage, or by a range that is the same for every chunk.
 */
final class AffineAccess implements Access {
    private static final long serialVersionUID = 1L;

    private final Move[] moves;
    /** Before the first move, and after each. */
    private final Line[][] lines;

    private AffineAccess(Move[] moves, Line[][] lines) {
        this.moves = moves;
        this.lines = lines;
    }

    /**
     * The indices along one dimension.
     *
     * @param stageDim which index {@code i} of the stage the line follows, at {@code step * i + offset}; {@link Alignment#NONE} for those from
     *     {@code offset} up to {@code size}, {@code step} being 1
     * @param size of the dimension
     */
    private record Line(int stageDim, long step, long offset, long size) implements Serializable {
        private static final long serialVersionUID = 1L;

        static Line all(long size) {
            return new Line(Alignment.NONE, 1, 0, size);
        }

        boolean isFree() {
            return stageDim == Alignment.NONE;
        }

        long start(Box stage) {
            return isFree() ? offset : clip(Math.min(at(first(stage)), at(last(stage))));
        }

        long end(Box stage) {
            boolean none = !isFree() && stage.size(stageDim) == 0;
            return isFree() ? size : none ? start(stage) : clip(Math.max(at(first(stage)), at(last(stage))) + 1);
        }

        private long first(Box stage) {
            return stage.start(stageDim);
        }

        private long last(Box stage) {
            return Math.max(first(stage), stage.end(stageDim) - 1);
        }

        /** The first index of the stage with an element on the line. */
        long firstStage() {
            long atZero = step > 0 ? -offset : offset - (size - 1);
            return Math.max(0, ceilDiv(atZero, Math.abs(step)));
        }

        /** The last one, where the dimension of the stage has that size. */
        long lastStage(long stageSize) {
            long atEnd = step > 0 ? size - 1 - offset : offset;
            return Math.min(stageSize - 1, Math.floorDiv(atEnd, Math.abs(step)));
        }

        /** Where the stage is cut so that the line is cut before {@code index}, with a step of 1 or -1. */
        long stageCut(long index) {
            return step > 0 ? index - offset : offset - index + 1;
        }

        private static long ceilDiv(long a, long b) {
            return -Math.floorDiv(-a, b);
        }

        private long at(long index) {
            return step * index + offset;
        }

        private long clip(long index) {
            return Math.max(0, Math.min(size, index));
        }
    }

    /**
     * The access to a source whose elements reach the expression through {@code moves}, the first of which is made first, and whose
     * result is aligned so.
     *
     * @return empty where a chunk of the result is no block of the source
     */
    static Optional<AffineAccess> of(Shape source, List<Move> moves, Alignment alignment) {
        List<Shape> shapes = new ArrayList<>(List.of(source));
        for (Move move : moves) {
            shapes.add(move.apply(shapes.get(shapes.size() - 1)));
        }
        Line[][] lines = new Line[shapes.size()][];
        Line @Nullable [] above = own(shapes.get(moves.size()), alignment);
        lines[moves.size()] = above;
        for (int i = moves.size() - 1; i >= 0; i--) {
            above = below(above, shapes.get(i), shapes.get(i + 1), moves.get(i));
            if (above == null) {
                return Optional.empty();
            }
            lines[i] = above;
        }
        widen(lines, shapes, moves);
        return Optional.of(new AffineAccess(moves.toArray(Move[]::new), lines));
    }

    /** What comes whole out of a new shape stays whole until it is cropped. */
    private static void widen(Line[][] lines, List<Shape> shapes, List<Move> moves) {
        boolean[] whole = new boolean[shapes.get(0).rank()];
        for (int i = 0; i < moves.size(); i++) {
            Shape result = shapes.get(i + 1);
            whole = wholeAfter(moves.get(i), whole, result.rank());
            for (int d = 0; d < whole.length; d++) {
                lines[i + 1][d] = whole[d] ? Line.all(result.size(d)) : lines[i + 1][d];
            }
        }
    }

    private static boolean[] wholeAfter(Move move, boolean[] whole, int rank) {
        boolean[] after = Arrays.copyOf(whole, rank);
        if (move instanceof Move.Permute permute) {
            int[] from = permute.dims();
            for (int d = 0; d < rank; d++) {
                after[d] = whole[from[d]];
            }
        } else if (move instanceof Move.Unsqueeze unsqueeze) {
            for (int d = unsqueeze.dim(); d < rank; d++) {
                after[d] = d > unsqueeze.dim() && whole[d - 1];
            }
        } else if (move instanceof Move.Squeeze squeeze) {
            for (int d = squeeze.dim(); d < rank; d++) {
                after[d] = whole[d + 1];
            }
        } else if (move instanceof Move.Reshape reshape) {
            Arrays.fill(after, reshape.kept(), rank, true);
        } else if (move instanceof Move.Crop crop) {
            after[crop.dim()] = false;
        }
        return after;
    }

    private static Line[] own(Shape shape, Alignment alignment) {
        Line[] lines = new Line[shape.rank()];
        for (int d = 0; d < lines.length; d++) {
            int stageDim = alignment.of(d);
            lines[d] = stageDim == Alignment.NONE
                    ? Line.all(shape.size(d))
                    : new Line(stageDim, 1, alignment.offset(d), shape.size(d));
        }
        return lines;
    }

    /** The lines before a move whose result has the lines {@code above}; null where they are not straight. */
    private static Line @Nullable [] below(Line[] above, Shape shape, Shape result, Move move) {
        Line[] below = new Line[shape.rank()];
        if (move instanceof Move.Permute permute) {
            int[] from = permute.dims();
            for (int d = 0; d < from.length; d++) {
                below[from[d]] = above[d];
            }
        } else if (move instanceof Move.Unsqueeze unsqueeze) {
            for (int d = 0; d < below.length; d++) {
                below[d] = above[d < unsqueeze.dim() ? d : d + 1];
            }
        } else if (move instanceof Move.Squeeze squeeze) {
            for (int d = 0; d < below.length; d++) {
                below[d] = d == squeeze.dim() ? Line.all(1) : above[d < squeeze.dim() ? d : d - 1];
            }
        } else if (move instanceof Move.Reshape reshape) {
            return unshaped(above, shape, result, reshape.kept());
        } else if (move instanceof Move.Flip flip) {
            System.arraycopy(above, 0, below, 0, below.length);
            for (int d : flip.dims()) {
                below[d] = flipped(above[d], shape.size(d));
            }
        } else {
            Move.Crop crop = (Move.Crop) move;
            System.arraycopy(above, 0, below, 0, below.length);
            below[crop.dim()] = cropped(above[crop.dim()], crop, shape.size(crop.dim()));
        }
        return below;
    }

    /** What is not kept has another shape before, so all of it is needed. */
    private static Line @Nullable [] unshaped(Line[] above, Shape shape, Shape result, int kept) {
        for (int d = kept; d < above.length; d++) {
            if (!above[d].isFree() && result.size(d) != 1) {
                return null;
            }
        }
        Line[] below = new Line[shape.rank()];
        for (int d = 0; d < below.length; d++) {
            below[d] = d < kept ? above[d] : Line.all(shape.size(d));
        }
        return below;
    }

    private static Line flipped(Line above, long size) {
        return above.isFree()
                ? new Line(Alignment.NONE, 1, size - above.size(), size - above.offset())
                : new Line(above.stageDim(), -above.step(), size - 1 - above.offset(), size);
    }

    private static Line cropped(Line above, Move.Crop crop, long size) {
        if (!above.isFree()) {
            return new Line(
                    above.stageDim(), crop.step() * above.step(), crop.start() + crop.step() * above.offset(), size);
        }
        long first = crop.start() + crop.step() * above.offset();
        long last = crop.start() + crop.step() * (above.size() - 1);
        return new Line(Alignment.NONE, 1, first, Math.max(first, last + 1));
    }

    /** Nothing where the operand has no element: a dimension that a move put in front of the source's own may have no index in a chunk. */
    @Override
    public Box box(Box stage) {
        Box block = box(lines[0], stage);
        return isMovedAway(stage) ? Box.of(block.starts(), block.starts()) : block;
    }

    private boolean isMovedAway(Box stage) {
        return moves.length > 0 && box(lines[moves.length], stage).isEmpty();
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
        for (int i = 0; i < moves.length; i++) {
            Move move = moves[i];
            if (move instanceof Move.Crop crop) {
                Line from = lines[i][crop.dim()];
                Line to = lines[i + 1][crop.dim()];
                long count = to.end(stage) - to.start(stage);
                long start = crop.start() + crop.step() * to.start(stage) - from.start(stage);
                long stop = count == 0 ? start : start + crop.step() * (count - 1) + 1;
                move = new Move.Crop(crop.dim(), start, stop, crop.step());
            }
            moved = move.apply(moved);
        }
        return moved;
    }

    @Override
    public Shape shape(Box stage) {
        return box(lines[moves.length], stage).shape();
    }

    @Override
    public boolean isPlain() {
        return moves.length == 0;
    }

    @Override
    public boolean copies() {
        boolean apart = false;
        for (Move move : moves) {
            if (move instanceof Move.Flip || move instanceof Move.Reshape && apart) {
                return true;
            }
            apart |= move instanceof Move.Permute || move instanceof Move.Crop;
        }
        return false;
    }

    @Override
    public boolean follows(int stageDim) {
        return dim(stageDim) >= 0;
    }

    /** The source's dimension along which an index of the stage moves, or -1. */
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
        long[] sizes = new long[lines[0].length];
        for (int d = 0; d < sizes.length; d++) {
            Line line = lines[0][d];
            sizes[d] = line.isFree()
                    ? line.size() - line.offset()
                    : Math.min(line.size(), Math.max(0, chunk.size(line.stageDim()) - 1) * Math.abs(line.step()) + 1);
        }
        return Shape.of(sizes);
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
        if (!known || Math.abs(lines[0][dim].step()) != 1 || extent(stageDim, stageSize) == 0) {
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

    @Override
    public String toString() {
        return Arrays.toString(moves);
    }
}
