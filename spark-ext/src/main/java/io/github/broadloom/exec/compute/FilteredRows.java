package io.github.broadloom.exec.compute;

import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.expr.Filter;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Masks;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;

/** Picks rows by a mask where they lie: each chunk its own, which Spark keeps, and which are cut anew into chunks when it is known how many there are of each. */
final class FilteredRows {
    private static final String WHAT = "rows that a mask picked";

    private FilteredRows() {}

    /** @param keep lets Spark keep chunks until the action is over */
    static RDD<Block> chunks(
            SparkContext context,
            StageInputs inputs,
            Stage stage,
            Device device,
            JobRunner jobs,
            Consumer<RDD<Block>> keep) {
        RDD<Block> picked = new ChunkRDD<>(
                context, inputs, stage.outputs(), stage.grid(), device, Block.class, FilteredRows::picked);
        picked.setName(stage.text());
        keep.accept(picked);
        return CountedRows.of(picked, jobs, stage.outputs().get(0).dtype(), stage.resultGrid(), WHAT);
    }

    private static List<Block> picked(ChunkTask task, Backend backend) throws IOException {
        Filter filter = (Filter) task.outputs().get(0);
        return List.of(
                Block.owning(Masks.rows(task.value(filter.operand(), backend), task.value(filter.mask(), backend))));
    }
}
