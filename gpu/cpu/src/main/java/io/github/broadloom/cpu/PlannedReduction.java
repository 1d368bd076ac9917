package io.github.broadloom.cpu;

import java.util.List;
import java.util.function.Consumer;

/**
 * Reductions within rows that share an operand, planned once and run again and again.
 *
 * @param operand whose values they take
 * @param rows how many the operand has
 * @param sink takes these values
 * @param stores where each result goes
 */
record PlannedReduction(PointwisePass operand, long rows, TileLoop.Sink sink, List<RowStore> stores) {

    /** One pass over operands of one shape: what they read in common is read once. */
    static Runnable together(List<PlannedReduction> reductions) {
        List<PointwisePass> operands =
                reductions.stream().map(PlannedReduction::operand).toList();
        Consumer<List<TileLoop.Sink>> loops =
                new RowTiles(operands, 0, reductions.get(0).rows()).loops();
        List<TileLoop.Sink> sinks =
                reductions.stream().map(PlannedReduction::sink).toList();
        return () -> {
            reductions.forEach(reduction -> reduction.stores().forEach(store -> store.at(0)));
            loops.accept(sinks);
        };
    }
}
