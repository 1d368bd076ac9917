package io.github.broadloom.exec.compute;

import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Device;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;

/**
 * The chunks of reductions along one dimension that is too long to be held: each task goes along all of it, step by step.
 *
 * @param results the chunks of each output
 */
record StreamedReductions(FoldSteps steps, List<ChunkGrid> results) implements ChunkRDD.Computation<Block> {

    static RDD<Block> rdd(SparkContext context, StageInputs inputs, Stage stage, Device device) {
        List<ChunkGrid> results = IntStream.range(0, stage.outputs().size())
                .mapToObj(stage::resultGrid)
                .toList();
        StreamedReductions streamed = new StreamedReductions(FoldSteps.of(stage), results);
        return new ChunkRDD<>(context, inputs, stage.outputs(), stage.tasks(), device, Block.class, streamed);
    }

    @Override
    public List<Block> elements(ChunkTask task, Backend backend) throws IOException {
        List<RowFold> folds = steps.folds(task, backend);
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < folds.size(); i++) {
            Box box = results.get(i).box(task.chunk().index());
            blocks.add(Block.owning(folds.get(i).finish().view(box.shape().toArray()), box.starts()));
        }
        return blocks;
    }
}
