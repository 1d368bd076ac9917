package io.github.broadloom.exec;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Device;
import io.github.broadloom.device.FoldNode;
import io.github.broadloom.device.RowFold;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Move;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.plan.Box;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.lang.ref.Reference;
import java.util.List;
import org.apache.spark.SparkContext;

/**
 * The chunks of a reduction along a dimension that is too long to be held: each task goes along it step by step, reads what belongs to the step, and joins its
 * partial result to those before by the tree that the reduction of the whole has, so that the bits are those.
 */
final class StreamRDD extends ChunkRDD<Block> {
    private static final long serialVersionUID = 1L;

    private final int dim;
    private final RowGrid steps;
    private final ChunkGrid result;

    StreamRDD(SparkContext context, StageInputs inputs, Stage stage, Device device) {
        super(context, inputs, stage.outputs(), stage.tasks(), device, Scala.tag(Block.class));
        this.dim = stage.streamDim();
        this.steps = stage.grid().along(dim);
        this.result = stage.resultGrid();
    }

    @Override
    Block element(ChunkTask task, Backend backend) throws IOException {
        RowFold fold = null;
        Shape shape = null;
        long arraysBefore = MemoryMeter.arrayBytes();
        for (int i = 0; i < steps.chunks(); i++) {
            Box part = task.box().with(dim, steps.start(i), steps.end(i));
            ChunkTask step = task.step(part);
            try {
                List<Expr> outputs = outputs(step);
                Reduce reduce = (Reduce) outputs.get(0);
                shape = reduce.shape();
                Reduce rows = overRows(reduce, reduce.operand());
                if (fold == null) {
                    fold = RowFold.of(whole(rows));
                }
                for (FoldNode node : backend.partials(rows, steps.start(i))) {
                    fold.push(node);
                }
                MemoryMeter.dropArrays(arraysBefore);
                fold.nodes().forEach(node -> MemoryMeter.array(node.sizeBytes()));
                Reference.reachabilityFence(outputs);
            } finally {
                step.scope().releaseAll();
            }
        }
        if (fold == null || shape == null) {
            throw new IllegalStateException("A stream without steps: " + steps);
        }
        Tensor folded = fold.finish();
        return Block.owning(
                folded.view(shape.toArray()), result.box(task.chunk().index()).starts());
    }

    /** The same reduction with its dimension before all others. */
    private Reduce overRows(Reduce reduce, Expr operand) {
        int rank = operand.shape().rank();
        int[] order = new int[rank];
        for (int d = 0; d < rank; d++) {
            order[d] = d == 0 ? dim : d <= dim ? d - 1 : d;
        }
        return (Reduce)
                Expr.reduce(reduce.reduction(), Expr.rearrange(operand, new Move.Permute(order)), new int[] {0}, false);
    }

    /** Of all steps, for its shapes alone. */
    private Reduce whole(Reduce rows) {
        Shape all = rows.operand().shape().with(0, steps.rows());
        Input any = Input.of("steps", rows.operand().dtype(), all);
        return (Reduce) Expr.reduce(rows.reduction(), any, new int[] {0}, false);
    }
}
