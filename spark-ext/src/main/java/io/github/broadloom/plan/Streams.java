package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.plan.Operands.Found;
import io.github.broadloom.plan.Source.Residence;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The reductions that one stream computes together: those along one dimension, over the same source. */
public final class Streams {
    /** What is unpacked and folded in a processor's caches, where a larger step would go through memory twice. */
    private static final long CACHED_BYTES = 4L << 20;

    /** Of so many rows what a step leaves is little beside it. */
    private static final int STEP_ROWS = 32;

    private Streams() {}

    /** Reductions that do not need each other, those that share a stream together. */
    static List<List<Reduce>> grouped(List<Reduce> reductions) {
        List<List<Reduce>> groups = new ArrayList<>();
        for (Reduce reduce : reductions) {
            groups.stream()
                    .filter(group -> share(group.get(0), reduce))
                    .findFirst()
                    .ifPresentOrElse(group -> group.add(reduce), () -> groups.add(new ArrayList<>(List.of(reduce))));
        }
        return groups;
    }

    /** The outermost reduction under some roots that can be streamed, with all that share its stream; none where there is none. */
    static List<Reduce> outermost(List<Expr> roots, Predicate<Reduce> canStream) {
        List<Reduce> group = new ArrayList<>();
        for (Expr root : roots) {
            List<Expr> order = new ArrayList<>(root.postOrder());
            Collections.reverse(order);
            for (Expr node : order) {
                if (node instanceof Reduce reduce && joins(group, reduce) && canStream.test(reduce)) {
                    group.add(reduce);
                }
            }
        }
        return group;
    }

    private static boolean joins(List<Reduce> group, Reduce reduce) {
        return group.isEmpty()
                || share(group.get(0), reduce)
                        && group.stream().noneMatch(known -> isUnder(known, reduce) || isUnder(reduce, known));
    }

    private static boolean isUnder(Expr root, Expr node) {
        return root.postOrder().stream().anyMatch(below -> below == node);
    }

    private static boolean share(Reduce one, Reduce other) {
        return one.operand().shape().equals(other.operand().shape())
                && Arrays.equals(one.dims(), other.dims())
                && one.inputs().stream()
                        .map(Input::source)
                        .anyMatch(source -> other.inputs().stream().anyMatch(input -> input.source() == source));
    }

    /** The same reduction of one dimension, which comes before all others. */
    public static Reduce overRows(Expr output, int dim) {
        Reduce reduce = (Reduce) output;
        int[] order = new int[reduce.operand().shape().rank()];
        Arrays.setAll(order, d -> d == 0 ? dim : d <= dim ? d - 1 : d);
        return (Reduce) Expr.reduce(
                reduce.reduction(), Expr.rearrange(reduce.operand(), new ViewOp.Permute(order)), KeepDim.DROP, 0);
    }

    /**
     * Steps of whole pieces of the foremost file, few enough to stay in caches, so that a piece is unpacked to where it is folded. Tasks have several pieces side by side only where one would
     * have less to do than a chunk: as few as keep all slots busy, as long as a step is no larger than a chunk. They have a part of a piece where that is read by itself and caches do not hold the
     * piece. Null where no file lies in pieces, or not as the stage goes over it.
     *
     * @param domain what the stage goes over
     * @param along the dimension of the steps
     */
    static @Nullable ChunkGrid ofPieces(Settings settings, Shape domain, List<Found> operands, int along) {
        Optional<Found> found = operands.stream()
                .filter(operand -> operand.source().piece() != null)
                .filter(operand ->
                        operand.access().isPlain() && operand.source().shape().equals(domain))
                .findFirst();
        if (found.isEmpty()) {
            return null;
        }
        Source source = found.get().source();
        Shape piece = Objects.requireNonNull(source.piece());
        RowGrid steps = steps(Objects.requireNonNull(source.grid()).along(along), piece, along, source.dtype());
        long[] block = new long[domain.rank()];
        Arrays.setAll(block, d -> d == along ? steps.mostRows() : Math.min(piece.size(d), domain.size(d)));
        long least = settings.chunkBytes() / steps.chunks();
        takeParts(operands, block, along, source.dtype(), least);
        takeSeveral(settings, domain, block, along, source.dtype(), least);
        RowGrid[] cuts = new RowGrid[domain.rank()];
        Arrays.setAll(cuts, d -> {
            long whole = Math.max(piece.size(d), block[d]);
            return d == along ? steps : RowGrid.ofRows(domain.size(d), whole).refined(block[d]);
        });
        return ChunkGrid.of(domain, cuts);
    }

    /** Makes a block of a piece smaller until caches hold it, where parts are read by themselves of all that lies in pieces; no smaller than {@code least} bytes. */
    private static void takeParts(List<Found> operands, long[] block, int along, DType dtype, long least) {
        for (int d = 0; d < block.length; d++) {
            boolean reads = d != along;
            while (reads && block[d] > 1 && bytes(dtype, block) > Math.max(CACHED_BYTES, 2 * least)) {
                long[] half = block.clone();
                half[d] = (block[d] + 1) / 2;
                Box part = Box.whole(Shape.of(half));
                reads = operands.stream()
                        .filter(operand -> operand.source().piece() != null)
                        .noneMatch(operand ->
                                stepsCost(operand.source(), operand.access().box(part)));
                block[d] = reads ? half[d] : block[d];
            }
        }
    }

    /** Doubles a block until a task has {@code least} bytes to do in each step and caches would not hold twice as much, as long as there are tasks enough. */
    private static void takeSeveral(Settings settings, Shape domain, long[] block, int along, DType dtype, long least) {
        long enough = (long) StageCuts.TASKS_PER_SLOT * Math.min(settings.slots(), StageCuts.MANY_SLOTS);
        for (int d = block.length - 1; d >= 0; d--) {
            while (d != along && block[d] < domain.size(d)) {
                long[] twice = block.clone();
                twice[d] = Math.min(domain.size(d), 2 * block[d]);
                long bytes = bytes(dtype, block);
                boolean isEnough = 2 * bytes > CACHED_BYTES && bytes >= least;
                if (isEnough || tasks(domain, twice, along) < enough || 2 * bytes > settings.chunkBytes()) {
                    break;
                }
                block[d] = twice[d];
            }
        }
    }

    private static long bytes(DType dtype, long[] block) {
        return dtype.sizeBytes(Shape.of(block).numel());
    }

    private static long tasks(Shape domain, long[] block, int along) {
        long tasks = 1;
        for (int d = 0; d < block.length; d++) {
            tasks *= d == along ? 1 : (domain.size(d) + block[d] - 1) / block[d];
        }
        return tasks;
    }

    /**
     * Steps along bands of the foremost array that any task reads anywhere, and that lies row by row, so wide that stepping over the others costs half of that at most, where a step can be so
     * and stay in caches. Null where there is none, where one band would be all, or where what the steps go along lies in chunks.
     *
     * @param across the dimension that is cut into bands
     * @param along the dimension of the steps, before that
     */
    static @Nullable ChunkGrid ofBands(Settings settings, Shape domain, List<Found> operands, int across, int along) {
        Optional<Found> found = operands.stream()
                .filter(operand -> operand.source().residence() == Residence.FILE
                        && operand.access().isPlain()
                        && operand.source().shape().equals(domain))
                .findFirst();
        boolean inChunks =
                operands.stream().anyMatch(operand -> operand.source().grid() != null && operand.isCut(along));
        if (found.isEmpty() || inChunks || along > across) {
            return null;
        }
        Source source = found.get().source();
        long indexBytes = Math.max(1, Sizes.indexBytes(source.dtype(), domain, along));
        long bands = (long) StageCuts.TASKS_PER_SLOT * Math.min(settings.slots(), StageCuts.MANY_SLOTS);
        long narrow = Math.min(indexBytes / bands, CACHED_BYTES / STEP_ROWS);
        long wanted = Math.max(narrow, settings.chunkBytes() / domain.size(along));
        ChunkGrid grid = bands(domain, across, along, indexBytes, Math.min(CACHED_BYTES, wanted));
        for (long wider = 2 * wanted; stepsCost(source, grid.largestBox()) && wider <= CACHED_BYTES; wider *= 2) {
            grid = bands(domain, across, along, indexBytes, wider);
        }
        return stepsCost(source, grid.largestBox()) || !grid.cuts(across) ? null : grid;
    }

    private static ChunkGrid bands(Shape domain, int across, int along, long indexBytes, long wanted) {
        RowGrid cuts = RowGrid.ofBytes(domain.size(across), indexBytes / domain.size(across), wanted);
        long bandBytes = indexBytes / domain.size(across) * cuts.mostRows();
        RowGrid[] grid = new RowGrid[domain.rank()];
        Arrays.setAll(grid, d -> RowGrid.whole(domain.size(d)));
        grid[across] = cuts;
        grid[along] = RowGrid.ofBytes(domain.size(along), bandBytes, CACHED_BYTES);
        return ChunkGrid.of(domain, grid);
    }

    /** Whether stepping over what lies between costs more than half of reading a box. */
    private static boolean stepsCost(Source source, Box box) {
        long bytes = source.dtype().sizeBytes(box.shape().numel());
        return source.costBytes(box) > bytes + bytes / 2;
    }

    /** As many pieces one behind the other as stay in caches; the cuts of the source where these are not those of pieces, as those of several files. */
    private static RowGrid steps(RowGrid own, Shape piece, int along, DType dtype) {
        long most = Math.max(1, CACHED_BYTES / Math.max(1, dtype.sizeBytes(piece.numel()))) * piece.size(along);
        boolean ofPieces = IntStream.range(0, own.chunks()).allMatch(i -> own.start(i) % piece.size(along) == 0);
        return ofPieces ? RowGrid.ofRows(own.rows(), Math.min(most, own.mostRows())) : own;
    }
}
