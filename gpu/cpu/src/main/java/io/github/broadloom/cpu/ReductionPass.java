package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.FoldKernel;
import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.PairwiseFold;
import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.plan.Stripes;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.RowNodes;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One pass over what several reductions have in common, their operand: its values are computed once, tile by tile and
 * never stored, and every reduction takes each tile. Threads take ranges of rows, and no result depends on them: what
 * is kept apart is written apart, and what meets across rows is a pairwise tree over the row numbers. Passes over operands of one shape
 * may go together, so that what these read in common is read once.
 */
final class ReductionPass {
    /** Fewer elements than this are not worth another thread. */
    private static final long GRAIN_ELEMENTS = 1 << 15;

    private final List<Reduce> reductions;
    private final Shape shape;
    private final long rows;
    private final long rowElements;
    private final PointwisePass operand;

    /** @param reductions which share their operand */
    ReductionPass(List<Reduce> reductions, Buffers buffers, Kernels kernels) {
        Expr shared = reductions.get(0).operand();
        this.reductions = reductions;
        this.shape = shared.shape();
        this.rows = shape.rank() == 0 ? 1 : shape.size(0);
        this.rowElements = rows == 0 ? 0 : shape.numel() / rows;
        this.operand = PointwisePass.of(shared, buffers, kernels);
    }

    /**
     * How rows are gone over: passes of equal ones may go together.
     *
     * @param striped the dimension that is gone over {@linkplain StripedFold in stripes}; {@link Stripes#NONE} where there is none
     */
    record Loops(Shape shape, int striped) {}

    Loops loops() {
        return new Loops(shape, Stripes.dimension(reductions));
    }

    /** What computes the reductions; it leaves their results in their order. */
    Executable results() {
        if (shape.numel() == 0) {
            return Executable.of(detail -> "nothing to compute", this::inTiles);
        }
        return across().orElseGet(() -> Executable.of(
                detail -> new RowTiles(List.of(operand), 0, rows, loops().striped()).describe(detail), this::inTiles));
    }

    private List<Tensor> inTiles(int threads) {
        List<Goal> goals = new ArrayList<>();
        List<Supplier<Tensor>> results = new ArrayList<>();
        for (Reduce reduce : reductions) {
            if (reduce.foldsRows()) {
                RowFold fold = RowFold.of(reduce);
                goals.add(folded(reduce, 0, List.of(), fold));
                results.add(fold::finish);
            } else {
                Tensor result = Tensors.empty(reduce.dtype(), reduce.shape());
                goals.add(kept(reduce, result));
                results.add(() -> result);
            }
        }
        run(List.of(this), List.of(goals), threads);
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
                    new RowTiles(operands, 0, reductions.get(0).rows()).loops();
            List<TileLoop.Sink> sinks = reductions.stream().map(Planned::sink).toList();
            return () -> {
                reductions.forEach(reduction -> reduction.stores().forEach(store -> store.at(0)));
                loops.accept(sinks);
            };
        }
    }

    /**
     * The plan of the reductions into these tensors; empty where they are read in another way than tile by tile, or
     * rows meet.
     */
    Optional<Planned> planned(List<Tensor> results) {
        boolean isInRows = shape.numel() > 0 && reductions.stream().noneMatch(Reduce::foldsRows);
        if (!isInRows || across().isPresent()) {
            return Optional.empty();
        }
        List<RowStore> stores = new ArrayList<>();
        List<TileLoop.Sink> sinks = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            Accumulators accumulators = Accumulators.of(reductions.get(i));
            RowStore store = new RowStore(accumulators, results.get(i), 0);
            stores.add(store);
            sinks.add(pipeline(reductions.get(i), accumulators, 0, store));
        }
        return Optional.of(new Planned(operand, rows, together(sinks), stores));
    }

    /** What computes a reduction of what is broadcast, where there is a kernel that folds it. */
    private Optional<Executable> across() {
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
     * Folds rows that are a chunk of more, and go over them with equal {@link #loops}.
     *
     * @param firstRow the number of the first row among all
     * @param nodes of each reduction, those of all rows before; then those of the chunk, too
     */
    static void fold(List<ReductionPass> together, long firstRow, Map<Reduce, RowNodes> nodes) {
        if (together.get(0).shape.numel() == 0) {
            return;
        }
        List<List<Goal>> goals = new ArrayList<>();
        for (ReductionPass pass : together) {
            List<Goal> own = new ArrayList<>();
            for (Reduce reduce : pass.reductions) {
                RowNodes target = Objects.requireNonNull(nodes.get(reduce));
                own.add(pass.folded(reduce, firstRow, target.takeNodes(), target));
            }
            goals.add(own);
        }
        run(together, goals, 1);
    }

    /** @param goals of each pass */
    private static void run(List<ReductionPass> together, List<List<Goal>> goals, int threads) {
        ReductionPass any = together.get(0);
        if (any.shape.numel() == 0) {
            return;
        }
        int striped = any.loops().striped();
        long grain = Long.highestOneBit(Math.max(1, GRAIN_ELEMENTS / any.rowElements));
        Parallel.forRanges(
                threads,
                any.rows,
                Parallel.rangeLength(threads, any.rows, grain),
                () -> (first, end) -> range(
                        together,
                        goals,
                        new Rows(first, end, striped == 0 && end - first < 2 ? Stripes.NONE : striped)));
    }

    private static void range(List<ReductionPass> together, List<List<Goal>> goals, Rows range) {
        List<TileLoop.Sink> sinks = new ArrayList<>();
        List<Runnable> endings = new ArrayList<>();
        for (int i = 0; i < goals.size(); i++) {
            List<TileLoop.Sink> own = new ArrayList<>();
            goals.get(i).forEach(goal -> own.add(goal.begin(range, endings::add)));
            sinks.add(together.get(i).together(own));
        }
        List<PointwisePass> operands =
                together.stream().map(pass -> pass.operand).toList();
        new RowTiles(operands, range.first, range.end, range.striped).loops().accept(sinks);
        endings.forEach(Runnable::run);
    }

    /** What the tiles hold that the reductions take. */
    private DType tileType() {
        DType stored = operand.spec().dtype();
        return reductions.size() > 1 && stored.isFloatingPoint() ? DType.FLOAT64 : stored;
    }

    private TileLoop.Sink together(List<TileLoop.Sink> sinks) {
        if (sinks.size() == 1) {
            return sinks.get(0);
        }
        TileLoop.Sink all = (elements, count, at) -> sinks.forEach(sink -> sink.accept(elements, count, at));
        DType stored = operand.spec().dtype();
        return tileType() == stored ? all : RowPipeline.widened(stored, TileKernel.CAPACITY, all); // once for all
    }

    /** Some rows, as tiles come of them. */
    private record Rows(long first, long end, int striped) {}

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
            if (range.striped == Stripes.NONE) {
                return pipeline(reduce, accumulators, range.first, store);
            }
            var matrix = new StripedFold.Matrix(
                    shape.size(range.striped), Stripes.columns(shape, range.striped), 0, range.first * rowElements);
            return new StripedFold(accumulators, tileType(), matrix, StripedFold.results(store));
        };
    }

    /**
     * The rows meet.
     *
     * @param firstRow the number of the first of all
     * @param before the nodes of those before it, for one thread
     */
    private Goal folded(Reduce reduce, long firstRow, List<FoldNode> before, RowNodes nodes) {
        Accumulators accumulators = Accumulators.of(reduce);
        int width = width(reduce, accumulators.components());
        return (range, endings) -> {
            long row = firstRow + range.first;
            if (range.striped == 0) {
                StripedFold.Nodes all = new StripedFold.Nodes(accumulators, width, before, nodes);
                var matrix = new StripedFold.Matrix(range.end - range.first, rowElements, row, row * rowElements);
                endings.accept(all::finish);
                return new StripedFold(accumulators, tileType(), matrix, all);
            }
            PairwiseFold fold = new PairwiseFold(accumulators, width, row, reduce.reducedCount() / rows);
            fold.goOn(before, 0);
            endings.accept(() -> fold.nodes().forEach(nodes::push));
            return pipeline(reduce, accumulators, row, fold::accept);
        };
    }

    private TileLoop.Sink pipeline(Reduce reduce, Accumulators accumulators, long row, RowPipeline.Output output) {
        return new RowPipeline(reduce, tileType(), accumulators, row * rowElements, TileKernel.CAPACITY).into(output);
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
