package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.FoldKernel;
import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.PairwiseFold;
import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.cpu.reduce.WideElements;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One pass over what several reductions have in common, their operand: its values are computed once, tile by tile and
 * never stored, and every reduction takes each tile. Threads take ranges of rows, and no result depends on them: what
 * is kept apart is written apart, and what meets across rows is a pairwise tree over the row numbers.
 */
final class ReductionPass {
    /** Fewer elements than this are not worth another thread. */
    private static final long GRAIN_ELEMENTS = 1 << 15;

    private final Shape shape;
    private final long rows;
    private final long rowElements;
    private final PointwisePass operand;

    ReductionPass(Expr operand, Buffers buffers, Kernels kernels) {
        this.shape = operand.shape();
        this.rows = shape.rank() == 0 ? 1 : shape.size(0);
        this.rowElements = rows == 0 ? 0 : shape.numel() / rows;
        this.operand = PointwisePass.of(operand, buffers, kernels);
    }

    /** What computes reductions that share the operand; it leaves their results in their order. */
    Executable results(List<Reduce> reductions) {
        if (shape.numel() == 0) {
            return Executable.of(detail -> "nothing to compute", threads -> inTiles(reductions, threads));
        }
        return across(reductions)
                .orElseGet(() -> Executable.of(
                        detail -> tiles(isInStripes(reductions), 0, rows).describe(detail),
                        threads -> inTiles(reductions, threads)));
    }

    private List<Tensor> inTiles(List<Reduce> reductions, int threads) {
        List<Goal> goals = new ArrayList<>();
        List<Supplier<Tensor>> results = new ArrayList<>();
        for (Reduce reduce : reductions) {
            if (reduce.foldsRows()) {
                RowFold fold = RowFold.of(reduce);
                goals.add(folded(reduce, 0, fold::push));
                results.add(fold::finish);
            } else {
                Tensor result = Tensors.empty(reduce.dtype(), reduce.shape());
                goals.add(kept(reduce, result));
                results.add(() -> result);
            }
        }
        run(goals, isInStripes(reductions), threads);
        return results.stream().map(Supplier::get).toList();
    }

    /**
     * Reductions within rows that share an operand, planned once and run again and again.
     *
     * @param operand whose values they take
     * @param rows how many the operand has
     * @param sink takes these values
     * @param stores where each result goes
     */
    record Planned(PointwisePass operand, long rows, TileLoop.Sink sink, List<RowStore> stores) {

        /** One pass over operands of one shape: what they read in common is read once. */
        static Runnable together(List<Planned> reductions) {
            List<PointwisePass> operands =
                    reductions.stream().map(Planned::operand).toList();
            Consumer<List<TileLoop.Sink>> loops =
                    new RowTiles(operands, 0, reductions.get(0).rows(), false).loops();
            List<TileLoop.Sink> sinks = reductions.stream().map(Planned::sink).toList();
            return () -> {
                reductions.forEach(reduction -> reduction.stores().forEach(store -> store.at(0)));
                loops.accept(sinks);
            };
        }
    }

    /**
     * The plan of reductions that share the operand, into these tensors; empty where they are read in another way than tile by tile, or
     * rows meet.
     */
    Optional<Planned> planned(List<Reduce> reductions, List<Tensor> results) {
        boolean isInRows = shape.numel() > 0 && reductions.stream().noneMatch(Reduce::foldsRows);
        if (!isInRows || across(reductions).isPresent()) {
            return Optional.empty();
        }
        List<RowStore> stores = new ArrayList<>();
        List<TileLoop.Sink> sinks = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            Accumulators accumulators = Accumulators.of(reductions.get(i));
            RowStore store = new RowStore(accumulators, results.get(i), 0);
            stores.add(store);
            sinks.add(pipeline(reductions.get(i), tileType(results.size()), accumulators, 0, store));
        }
        return Optional.of(new Planned(operand, rows, together(sinks), stores));
    }

    /** What computes a reduction of what is broadcast, where there is a kernel that folds it. */
    private Optional<Executable> across(List<Reduce> reductions) {
        Reduce reduce = reductions.get(0);
        return reductions.size() > 1
                ? Optional.empty()
                : AcrossNest.of(reduce, shape, operand.operands())
                        .flatMap(nest -> operand.fold(nest.accesses(), reduce.reduction())
                                .map(kernel -> Executable.of(
                                        nest, List.of(kernel), threads -> across(reduce, nest, kernel, threads))));
    }

    private List<Tensor> across(Reduce reduce, AcrossNest nest, Kernels.Cached<FoldKernel> cached, int threads) {
        FoldKernel kernel = cached.get().with(operand.numbers());
        Accumulators accumulators = Accumulators.of(reduce);
        Tensor result = Tensors.empty(reduce.dtype(), reduce.shape());
        long grain = Math.max(1, GRAIN_ELEMENTS / nest.blockElements());
        Parallel.forRanges(threads, nest.blocks(), Parallel.rangeLength(threads, nest.blocks(), grain), () -> {
            AcrossPass pass = new AcrossPass(kernel, reduce.reduction(), accumulators, nest, operand.operands());
            RowStore store = new RowStore(accumulators, result, 0);
            return (first, end) -> pass.run(first, end, store);
        });
        return List.of(result);
    }

    /**
     * For each of the reductions, which share the operand, the nodes of rows that are a chunk of more, the first of which has the
     * number {@code firstRow}.
     */
    List<List<FoldNode>> nodes(List<Reduce> chunk, long firstRow) {
        List<List<FoldNode>> nodes = new ArrayList<>();
        List<Goal> goals = new ArrayList<>();
        for (Reduce reduce : chunk) {
            List<FoldNode> own = new ArrayList<>();
            nodes.add(own);
            goals.add(folded(reduce, firstRow, own::add));
        }
        run(goals, isInStripes(chunk), 1);
        return nodes;
    }

    private void run(List<Goal> goals, boolean inStripes, int threads) {
        if (shape.numel() == 0) {
            return;
        }
        long grain = Long.highestOneBit(Math.max(1, GRAIN_ELEMENTS / rowElements));
        Parallel.forRanges(
                threads,
                rows,
                Parallel.rangeLength(threads, rows, grain),
                () -> (first, end) -> range(goals, inStripes && end - first > 1, first, end));
    }

    private void range(List<Goal> goals, boolean inStripes, long first, long end) {
        List<TileLoop.Sink> sinks = new ArrayList<>();
        List<Runnable> endings = new ArrayList<>();
        Rows range = new Rows(first, end, inStripes, tileType(goals.size()));
        for (Goal goal : goals) {
            sinks.add(goal.begin(range, endings::add));
        }
        tiles(inStripes, first, end).loops().accept(List.of(together(sinks)));
        endings.forEach(Runnable::run);
    }

    private RowTiles tiles(boolean inStripes, long first, long end) {
        return inStripes ? operand.stripes(first, end) : operand.rows(first, end);
    }

    /** Whether rows are folded that are wider than a tile, and nothing in them is; a place is a number of the row-major order. */
    private boolean isInStripes(Reduce reduce) {
        return rowElements > TileKernel.CAPACITY
                && reduce.foldsRows()
                && reduce.dims().length == 1
                && !reduce.reduction().isPosition();
    }

    private boolean isInStripes(List<Reduce> reductions) {
        return rows > 1 && reductions.stream().allMatch(this::isInStripes);
    }

    /** What the tiles hold that so many reductions take. */
    private DType tileType(int reductions) {
        DType stored = operand.spec().dtype();
        return reductions > 1 && stored.isFloatingPoint() ? DType.FLOAT64 : stored;
    }

    private TileLoop.Sink together(List<TileLoop.Sink> sinks) {
        if (sinks.size() == 1) {
            return sinks.get(0);
        }
        TileLoop.Sink all = (elements, count, at) -> sinks.forEach(sink -> sink.accept(elements, count, at));
        DType stored = operand.spec().dtype();
        return tileType(sinks.size()) == stored ? all : widened(stored, all);
    }

    /** Several reductions widen a tile once. */
    private static TileLoop.Sink widened(DType stored, TileLoop.Sink next) {
        double[] values = new double[TileKernel.CAPACITY];
        return (elements, count, at) -> {
            WideElements.read(stored, elements, count, values);
            next.accept(values, count, at);
        };
    }

    /**
     * Some rows, as tiles come of them.
     *
     * @param inStripes whether all rows of some columns come before the next ones
     * @param dtype of the values in a tile
     */
    private record Rows(long first, long end, boolean inStripes, DType dtype) {}

    private interface Goal {
        /** Takes the tiles of some rows; {@code endings} takes what is to be done after the last. */
        TileLoop.Sink begin(Rows range, Consumer<Runnable> endings);
    }

    /** Every row has results of its own. */
    private Goal kept(Reduce reduce, Tensor result) {
        Accumulators accumulators = Accumulators.of(reduce);
        if (shape.numel() == 0) {
            new RowStore(accumulators, result, 0).fillIdentity();
        }
        return (range, endings) -> {
            RowStore store = new RowStore(accumulators, result, range.first * (result.numel() / rows));
            return pipeline(reduce, range.dtype, accumulators, range.first, store);
        };
    }

    /** The rows meet; the first of all has the number {@code firstRow}. */
    private Goal folded(Reduce reduce, long firstRow, Consumer<FoldNode> nodes) {
        Accumulators accumulators = Accumulators.of(reduce);
        int width = width(reduce, accumulators.components());
        return (range, endings) -> {
            long row = firstRow + range.first;
            if (range.inStripes) {
                StripedFold fold =
                        new StripedFold(accumulators, range.dtype, rowElements, row, range.end - range.first);
                endings.accept(() -> fold.nodes(nodes));
                return fold;
            }
            PairwiseFold fold = new PairwiseFold(accumulators, width, row, reduce.reducedCount() / rows);
            endings.accept(() -> fold.nodes().forEach(nodes));
            return pipeline(reduce, range.dtype, accumulators, row, fold::accept);
        };
    }

    private TileLoop.Sink pipeline(
            Reduce reduce, DType dtype, Accumulators accumulators, long row, RowPipeline.Output output) {
        return new RowPipeline(reduce, dtype, accumulators, row * rowElements, TileKernel.CAPACITY).into(output);
    }

    private static int width(Reduce reduce, int components) {
        long width = reduce.shape().numel() * components;
        if (width > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("Cannot reduce dimension 0: " + width
                    + " numbers do not fit in an array; reduce slices of the inner dimensions");
        }
        return (int) width;
    }
}
