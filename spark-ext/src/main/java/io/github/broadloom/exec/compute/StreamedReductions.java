package io.github.broadloom.exec.compute;

import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.Streams;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;

/**
 * The chunks of reductions along one dimension that is too long to be held: each task goes along it step by step, reads what belongs to the step, and joins what it comes to
 * to what came before by the trees that the reductions of the whole have, so that the bits are those.
 *
 * @param results the chunks of each output
 */
record StreamedReductions(int dim, RowGrid steps, List<ChunkGrid> results) implements ChunkRDD.Computation<Block> {

    static RDD<Block> rdd(SparkContext context, StageInputs inputs, Stage stage, Device device) {
        int dim = stage.streamDim();
        List<ChunkGrid> results = IntStream.range(0, stage.outputs().size())
                .mapToObj(stage::resultGrid)
                .toList();
        StreamedReductions steps = new StreamedReductions(dim, stage.grid().along(dim), results);
        return new ChunkRDD<>(context, inputs, stage.outputs(), stage.tasks(), device, Block.class, steps);
    }

    @Override
    public List<Block> elements(ChunkTask task, Backend backend) throws IOException {
        List<RowFold> folds = new ArrayList<>();
        List<Shape> shapes = new ArrayList<>();
        long arraysBefore = MemoryMeter.arrayBytes();
        for (int i = 0; i < steps.chunks(); i++) {
            ChunkTask step = task.step(task.box().with(dim, steps.start(i), steps.end(i)));
            try {
                List<Expr> outputs = step.outputs();
                List<Reduce> rows = outputs.stream()
                        .map(output -> Streams.overRows(output, dim))
                        .toList();
                if (folds.isEmpty()) {
                    outputs.forEach(output -> shapes.add(output.shape()));
                    rows.forEach(reduce -> folds.add(RowFold.of(whole(reduce))));
                }
                backend.partials(rows, steps.start(i), folds);
                MemoryMeter.dropArrays(arraysBefore);
                folds.forEach(fold -> fold.sizes().forEach(MemoryMeter::array));
            } finally {
                step.scope().releaseAll();
            }
        }
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < folds.size(); i++) {
            Tensor folded = folds.get(i).finish().view(shapes.get(i).toArray());
            blocks.add(Block.owning(
                    folded, results.get(i).box(task.chunk().index()).starts()));
        }
        return blocks;
    }

    /** Of all steps, for its shapes alone. */
    private Reduce whole(Reduce rows) {
        Shape all = rows.operand().shape().with(0, steps.rows());
        Input any = Input.of("steps", rows.operand().dtype(), all);
        return (Reduce) Expr.reduce(rows.reduction(), any, KeepDim.DROP, 0);
    }
}
