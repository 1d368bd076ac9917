package io.github.broadloom.exec.compute;

import io.github.broadloom.cpu.reduce.GroupFold;
import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.Streams;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.MemoryMeter;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The steps in which a task goes along a dimension that is reduced, and that is too long for it to be held: it reads what belongs to a step, and joins what that comes to
 * to what came before by the trees that the reductions of the whole have, so that the bits are those.
 *
 * @param dim the dimension, which comes before all others where it is not the leading one
 * @param steps of all tasks
 */
record FoldSteps(int dim, RowGrid steps) implements Serializable {

    static FoldSteps of(Stage stage) {
        int dim = stage.kind() == Stage.Kind.STREAM ? stage.streamDim() : 0;
        return new FoldSteps(dim, stage.grid().along(dim));
    }

    /** What the steps of a task leave, of each output. */
    List<RowFold> folds(ChunkTask task, Backend backend) throws IOException {
        @Nullable Folded folded = null;
        long arraysBefore = MemoryMeter.arrayBytes();
        Box whole = task.box();
        for (int i : steps.overlapping(whole.start(dim), whole.end(dim))) {
            ChunkTask step = task.step(whole.with(dim, steps.start(i), steps.end(i)));
            try {
                List<Expr> rows = step.outputs().stream()
                        .map(output -> dim == 0 ? output : Streams.overRows(output, dim))
                        .toList();
                if (folded == null) {
                    folded = Folded.of(rows.stream().map(this::ofAll).toList());
                }
                folded.push(backend, rows, steps.start(i));
                MemoryMeter.dropArrays(arraysBefore);
                folded.sizes().forEach(MemoryMeter::array);
            } finally {
                step.scope().releaseAll();
            }
        }
        return folded == null ? List.of() : folded.rows();
    }

    /** Of all steps, for its shapes alone. */
    private Expr ofAll(Expr rows) {
        return rows.withChildren(rows.children().stream()
                .map(child ->
                        (Expr) Input.of("steps", child.dtype(), child.shape().with(0, steps.rows())))
                .toList());
    }

    /** What the steps so far come to. */
    private sealed interface Folded {
        static Folded of(List<Expr> wholes) {
            return wholes.get(0) instanceof Grouped
                    ? new OfGroups(wholes.stream()
                            .map(whole -> new GroupFold((Grouped) whole))
                            .toList())
                    : new OfRows(wholes.stream()
                            .map(whole -> RowFold.of((Reduce) whole))
                            .toList());
        }

        void push(Backend backend, List<Expr> step, long firstRow);

        /** The bytes of it, array by array. */
        LongStream sizes();

        List<RowFold> rows();

        record OfRows(List<RowFold> rows) implements Folded {
            @Override
            public void push(Backend backend, List<Expr> step, long firstRow) {
                backend.partials(step.stream().map(Reduce.class::cast).toList(), firstRow, rows);
            }

            @Override
            public LongStream sizes() {
                return rows.stream().flatMapToLong(RowFold::sizes);
            }
        }

        /** Of groups of rows, block by block. */
        record OfGroups(List<GroupFold> groups) implements Folded {
            @Override
            public void push(Backend backend, List<Expr> step, long firstRow) {
                for (int i = 0; i < groups.size(); i++) {
                    groups.get(i).push(backend, (Grouped) step.get(i), firstRow);
                }
            }

            @Override
            public LongStream sizes() {
                return groups.stream().flatMapToLong(GroupFold::sizes);
            }

            @Override
            public List<RowFold> rows() {
                return groups.stream().map(GroupFold::blocks).toList();
            }
        }
    }
}
