package io.github.broadloom.plan.picture;

import io.github.broadloom.plan.Box;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Operand;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.Strategy;
import io.github.broadloom.shape.Shape;

/**
 * What a stage makes of a tensor: where it is cut, and which part of it the shown task reads.
 *
 * @param rows of the blocks that the task reads, along the tensor's first dimension; {@code columns} along its second
 */
record Reading(Cuts cuts, Span rows, Span columns) {
    private static final Reading ALL = new Reading(Cuts.NONE, Span.ALL, Span.ALL);

    /** Of a tensor that is neither cut nor read in parts. */
    static Reading all() {
        return ALL;
    }

    /** Of what the stage leaves as chunks. */
    static Reading ofResult(Stage stage) {
        Cuts cuts = Cuts.of(stage.grid());
        return new Reading(cuts, cuts.span(0, cuts.shown(0)), cuts.span(1, cuts.shown(1)));
    }

    /** Of an operand: the task reads whole chunks, where it has such. */
    static Reading of(Operand operand, Stage stage) {
        if (operand.strategy() == Strategy.REPLICATE) {
            return ALL;
        }
        Shape shape = operand.source().shape();
        ChunkGrid own = operand.source().grid();
        Box box = operand.access().box(shown(stage.grid()));
        Cuts cuts = own == null ? Cuts.between(operand.access(), shape, stage.grid()) : Cuts.of(own);
        return new Reading(cuts, cuts.covering(0, span(box, shape, 0)), cuts.covering(1, span(box, shape, 1)));
    }

    private static Span span(Box box, Shape shape, int dim) {
        return dim < box.rank() ? Span.of(box.start(dim), box.end(dim), shape.size(dim)) : Span.ALL;
    }

    /** The chunk of the task that is shown. */
    private static Box shown(ChunkGrid grid) {
        Cuts cuts = Cuts.of(grid);
        Box box = grid.box(0);
        for (int dim = 0; dim < Math.min(grid.shape().rank(), 2); dim++) {
            RowGrid along = grid.along(dim);
            box = box.with(dim, along.start(cuts.shown(dim)), along.end(cuts.shown(dim)));
        }
        return box;
    }

    /** The same of a tensor with as many more dimensions of size 1 before its own. */
    Reading behind(int dims) {
        return switch (dims) {
            case 0 -> this;
            case 1 -> new Reading(cuts.behind(1), Span.ALL, rows);
            default -> new Reading(cuts.behind(dims), Span.ALL, Span.ALL);
        };
    }
}
