package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.FoldKernel;
import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.FloatingElements;
import io.github.broadloom.cpu.reduce.PairwiseFold;
import io.github.broadloom.cpu.reduce.RowFold;
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
        this.operand = new PointwisePass(operand, buffers, kernels);
    }

    /** What computes reductions that share the operand; it leaves their results in their order. */
    Executable results(List<Reduce> reductions) {
        if (shape.numel() == 0) {
            return Executable.of(detail -> "nothing to compute", threads -> inTiles(reductions, threads));
        }
        return across(reductions)
                .orElseGet(() -> Executable.of(
                        detail -> operand.rows(0, rows).describe(detail), threads -> inTiles(reductions, threads)));
    }

    private List<Tensor> inTiles(List<Reduce> reductions, int threads) {
        List<Goal> goals = new ArrayList<>();
        List<RowFold> folds = new ArrayList<>();
        for (Reduce reduce : reductions) {
            RowFold fold = reduce.foldsRows() ? RowFold.of(reduce) : null;
            folds.add(fold);
            goals.add(fold == null ? new Kept(reduce) : new Folded(reduce, 0, fold::push));
        }
        run(goals, threads);
        List<Tensor> results = new ArrayList<>();
        for (int i = 0; i < goals.size(); i++) {
            results.add(
                    goals.get(i) instanceof Kept kept
                            ? kept.result()
                            : folds.get(i).finish());
        }
        return results;
    }

    /**
     * The plan of reductions that share the operand, into these tensors; empty where they are read in another way than tile by tile, or
     * rows meet.
     */
    Optional<PlannedReduction> planned(List<Reduce> reductions, List<Tensor> results) {
        boolean isInRows = shape.numel() > 0 && reductions.stream().noneMatch(Reduce::foldsRows);
        if (!isInRows || across(reductions).isPresent()) {
            return Optional.empty();
        }
        List<RowStore> stores = new ArrayList<>();
        List<TileLoop.Sink> sinks = new ArrayList<>();
        DType type = tileType(reductions.size());
        for (int i = 0; i < results.size(); i++) {
            Reduce reduce = reductions.get(i);
            Accumulators accumulators = Accumulators.of(reduce);
            RowStore store = new RowStore(accumulators, results.get(i), 0);
            stores.add(store);
            sinks.add(new RowPipeline(reduce, type, accumulators, 0, TileKernel.CAPACITY, store));
        }
        return Optional.of(new PlannedReduction(operand, rows, together(sinks), stores));
    }

    /** What computes a reduction of what is broadcast, where there is a kernel that folds it. */
    private Optional<Executable> across(List<Reduce> reductions) {
        Reduce reduce = reductions.get(0);
        return reductions.size() > 1
                ? Optional.empty()
                : AcrossNest.of(reduce, shape, operand.operands())
                        .filter(AcrossPass::fits)
                        .flatMap(nest -> operand.fold(nest.accesses(), reduce.reduction())
                                .map(kernel -> Executable.of(
                                        nest, List.of(kernel), threads -> across(reduce, nest, kernel, threads))));
    }

    private List<Tensor> across(Reduce reduce, AcrossNest nest, CachedKernel<FoldKernel> cached, int threads) {
        FoldKernel kernel = cached.get().with(operand.numbers());
        Accumulators accumulators = Accumulators.of(reduce);
        Tensor result = Tensors.empty(reduce.dtype(), reduce.shape());
        long blocks = AcrossPass.blocks(nest);
        long grain = Math.max(1, GRAIN_ELEMENTS / AcrossPass.blockElements(nest));
        Parallel.forRanges(threads, blocks, Parallel.rangeLength(threads, blocks, grain), () -> {
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
            goals.add(new Folded(reduce, firstRow, own::add));
        }
        run(goals, 1);
        return nodes;
    }

    private void run(List<Goal> goals, int threads) {
        if (shape.numel() == 0) {
            return;
        }
        long grain = Long.highestOneBit(Math.max(1, GRAIN_ELEMENTS / rowElements));
        Parallel.forRanges(
                threads,
                rows,
                Parallel.rangeLength(threads, rows, grain),
                () -> (first, end) -> range(goals, first, end));
    }

    private void range(List<Goal> goals, long first, long end) {
        List<TileLoop.Sink> sinks = new ArrayList<>();
        List<Runnable> endings = new ArrayList<>();
        for (Goal goal : goals) {
            sinks.add(goal.begin(tileType(goals.size()), first, end, endings::add));
        }
        operand.rows(first, end).loops().accept(List.of(together(sinks)));
        endings.forEach(Runnable::run);
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
        TileLoop.Sink all = (elements, count, tile, firstElement) ->
                sinks.forEach(sink -> sink.accept(elements, count, tile, firstElement));
        DType stored = operand.spec().dtype();
        return tileType(sinks.size()) == stored ? all : widened(stored, all);
    }

    /** Several reductions widen a tile once. */
    private static TileLoop.Sink widened(DType stored, TileLoop.Sink next) {
        double[] values = new double[TileKernel.CAPACITY];
        return (elements, count, tile, firstElement) -> {
            FloatingElements.read(stored, elements, count, values);
            next.accept(values, count, tile, firstElement);
        };
    }

    /** What becomes of one reduction. */
    private abstract class Goal {
        final Reduce reduce;
        final Accumulators accumulators;

        Goal(Reduce reduce) {
            this.reduce = reduce;
            this.accumulators = Accumulators.of(reduce);
        }

        /**
         * Takes the tiles of some rows.
         *
         * @param dtype of the values in the tiles
         * @param endings takes what is to be done after the last
         */
        abstract TileLoop.Sink begin(DType dtype, long first, long end, Consumer<Runnable> endings);

        TileLoop.Sink pipeline(DType dtype, long row, RowPipeline.Output output) {
            return new RowPipeline(reduce, dtype, accumulators, row * rowElements, TileKernel.CAPACITY, output);
        }
    }

    /** Every row has results of its own. */
    private final class Kept extends Goal {
        private final Tensor result;

        Kept(Reduce reduce) {
            super(reduce);
            this.result = Tensors.empty(reduce.dtype(), reduce.shape());
        }

        @Override
        TileLoop.Sink begin(DType dtype, long first, long end, Consumer<Runnable> endings) {
            return pipeline(dtype, first, new RowStore(accumulators, result, first * (result.numel() / rows)));
        }

        Tensor result() {
            if (shape.numel() == 0) {
                new RowStore(accumulators, result, 0).fillIdentity();
            }
            return result;
        }
    }

    /** The rows meet. */
    private final class Folded extends Goal {
        private final long firstRow;
        private final int width;
        private final Consumer<FoldNode> nodes;

        Folded(Reduce reduce, long firstRow, Consumer<FoldNode> nodes) {
            super(reduce);
            this.firstRow = firstRow;
            this.width = width(reduce, accumulators.components());
            this.nodes = nodes;
        }

        @Override
        TileLoop.Sink begin(DType dtype, long first, long end, Consumer<Runnable> endings) {
            long row = firstRow + first;
            PairwiseFold fold = new PairwiseFold(accumulators, width, row, reduce.reducedCount() / rows);
            endings.accept(() -> fold.nodes().forEach(nodes));
            return pipeline(dtype, row, fold::accept);
        }
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
