package io.github.broadloom.plan.picture;

import io.github.broadloom.plan.Operand;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.Strategy;

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
        Reading result = ofResult(stage);
        RowGrid own = operand.source().grid();
        Cuts cuts = own == null ? result.cuts : Cuts.of(own);
        return new Reading(cuts, cuts.covering(0, result.rows), cuts.covering(1, result.columns));
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
