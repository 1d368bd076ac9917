package io.github.broadloom.plan.picture;

import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Operand;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.Strategy;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What a stage makes of a tensor: where it is cut, and which part of it the shown task reads.
 *
 * @param rows of the blocks that the task reads, along the tensor's first dimension; {@code columns} along its second
 */
record Reading(Cuts cuts, Span rows, Span columns) {
    private static final Reading ALL = new Reading(Cuts.NONE, Span.ALL, Span.ALL);
    /** More lines than a drawing has pixels. */
    private static final int MOST_LINES = 1000;

    private static final int DRAWN_DIMS = 2;

    /** Of a tensor that is neither cut nor read in parts. */
    static Reading all() {
        return ALL;
    }

    static Reading ofResult(Stage stage) {
        ChunkGrid left = left(stage);
        return of(Cuts.of(left), left.shape(), shown(left));
    }

    /** The chunks that a stage leaves, as they are drawn: those that it goes over, where it does not cut them anew. */
    static ChunkGrid left(Stage stage) {
        return stage.kind() == Stage.Kind.FILTER ? stage.resultGrid() : stage.grid();
    }

    /** Of an operand: the task reads whole chunks, where it has such. */
    static Reading of(Operand operand, Stage stage) {
        Shape shape = operand.source().shape();
        if (operand.strategy() == Strategy.REPLICATE || shape.rank() == 0) {
            return ALL;
        }
        Reading read = of(Cuts.NONE, shape, operand.access().box(shown(stage.grid())));
        ChunkGrid own = operand.source().grid();
        if (own == null) {
            return new Reading(cutsOfTasks(operand, stage.grid()), read.rows, read.columns);
        }
        Cuts cuts = Cuts.of(own);
        if (operand.strategy() == Strategy.SHUFFLE) { // brings no more than the pieces
            return new Reading(cuts, read.rows, read.columns);
        }
        return new Reading(cuts, cuts.covering(0, read.rows), cuts.covering(1, read.columns));
    }

    private static Reading of(Cuts cuts, Shape shape, Box box) {
        return new Reading(cuts, span(shape, box, 0), span(shape, box, 1));
    }

    private static Span span(Shape shape, Box box, int dim) {
        return dim < shape.rank() ? Span.of(box.start(dim), box.end(dim), shape.size(dim)) : Span.ALL;
    }

    /** The block of the task that is shown: neither the first nor the last where there are others. */
    private static Box shown(ChunkGrid grid) {
        Box box = Box.whole(grid.shape());
        for (int d = 0; d < grid.cutDims(); d++) {
            RowGrid along = grid.along(d);
            int part = along.chunks() / 3;
            box = box.with(d, along.start(part), along.end(part));
        }
        return box;
    }

    /** The bounds of what the tasks read, where the operand has no cuts of its own. */
    private static Cuts cutsOfTasks(Operand operand, ChunkGrid grid) {
        Shape shape = operand.source().shape();
        List<TreeSet<Long>> bounds = new ArrayList<>();
        for (int d = 0; d < Math.min(DRAWN_DIMS, shape.rank()); d++) {
            bounds.add(new TreeSet<>(List.of(0L, shape.size(d))));
        }
        for (int s = 0; s < grid.cutDims(); s++) {
            RowGrid along = grid.along(s);
            int step = Math.max(1, along.chunks() / MOST_LINES);
            for (int i = 0; i < along.chunks(); i += step) {
                Box read = operand.access().box(shown(grid).with(s, along.start(i), along.end(i)));
                for (int d = 0; d < bounds.size(); d++) {
                    bounds.get(d).add(read.start(d));
                }
            }
        }
        return new Cuts(bounds.stream()
                .map(dim -> dim.stream().mapToLong(Long::longValue).toArray())
                .toList());
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
