package io.github.broadloom.exec.compute;

import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.Streams;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.MemoryMeter;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

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
        List<RowFold> folds = new ArrayList<>();
        long arraysBefore = MemoryMeter.arrayBytes();
        Box whole = task.box();
        for (int i : steps.overlapping(whole.start(dim), whole.end(dim))) {
            ChunkTask step = task.step(whole.with(dim, steps.start(i), steps.end(i)));
            try {
                List<Reduce> rows = step.outputs().stream().map(this::overRows).toList();
                if (folds.isEmpty()) {
                    rows.forEach(reduce -> folds.add(RowFold.of(ofAll(reduce))));
                }
                backend.partials(rows, steps.start(i), folds);
                MemoryMeter.dropArrays(arraysBefore);
                folds.forEach(fold -> fold.sizes().forEach(MemoryMeter::array));
            } finally {
                step.scope().releaseAll();
            }
        }
        return folds;
    }

    private Reduce overRows(Expr output) {
        return dim == 0 ? (Reduce) output : Streams.overRows(output, dim);
    }

    /** Of all steps, for its shapes alone. */
    private Reduce ofAll(Reduce rows) {
        Expr operand = rows.operand();
        Input any = Input.of("steps", operand.dtype(), operand.shape().with(0, steps.rows()));
        return (Reduce) rows.withChildren(List.of(any));
    }
}
