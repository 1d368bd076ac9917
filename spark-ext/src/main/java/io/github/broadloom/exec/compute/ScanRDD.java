package io.github.broadloom.exec.compute;

import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.exchange.ChunkPartition;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.expr.Along;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.MemoryMeter;
import java.io.IOException;
import java.util.List;
import org.apache.spark.SparkContext;

/** The chunks of a scan along the rows: each goes on from what the rows before it leave. */
final class ScanRDD extends ChunkRDD<Block> {
    private static final long serialVersionUID = 1L;

    private final ScanCarries carries;

    ScanRDD(SparkContext context, StageInputs inputs, Stage stage, Device device, ScanCarries carries) {
        super(context, inputs, stage.outputs(), stage.grid(), device, Scala.tag(Block.class));
        this.carries = carries;
    }

    @Override
    List<Block> elements(ChunkTask task, Backend backend) throws IOException {
        ChunkPartition chunk = task.chunk();
        Along scan = (Along) outputs(task).get(0);
        ScanCarry before = carries.before(chunk.index());
        MemoryMeter.array(before.sizeBytes());
        return List.of(Block.owning(backend.scan(scan, before), chunk.box().starts()));
    }
}
