package io.github.broadloom.exec.compute;

import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.expr.Along;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.MemoryMeter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;

/** The first pass of a scan along the rows: for each chunk what it adds, as {@link JavaBytes}. */
final class ScanPartialsRDD extends ChunkRDD<byte[]> {
    private static final long serialVersionUID = 1L;

    private final transient Stage stage;

    ScanPartialsRDD(SparkContext context, StageInputs inputs, Stage stage, Device device) {
        super(context, inputs, stage.outputs(), stage.grid(), device, Scala.tag(byte[].class));
        this.stage = stage;
    }

    @Override
    List<byte[]> elements(ChunkTask task, Backend backend) throws IOException {
        Along scan = (Along) outputs(task).get(0);
        long firstRow = task.chunk().box().start(0);
        List<FoldNode> nodes = backend.partials(scan, firstRow);
        nodes.forEach(node -> MemoryMeter.array(node.sizeBytes()));
        return List.of(JavaBytes.of(nodes.toArray(FoldNode[]::new)));
    }

    /**
     * One job over all chunks but the last, to which none is added: joined on the driver in the order of the rows, as they arrive. What the driver holds is what
     * arrived too early, and the vectors of one stack; the carries go into broadcast variables, which Spark keeps on disk where memory is short.
     *
     * @param broadcast makes a broadcast variable
     */
    ScanCarries carries(JobRunner jobs, BiFunction<byte[][], Class<byte[][]>, Broadcast<byte[][]>> broadcast) {
        ScanCarries.Builder carries = new ScanCarries.Builder(bundle -> broadcast.apply(bundle, byte[][].class));
        Along scan = (Along) stage.outputs().get(0);
        RowGrid grid = stage.grid().along(0);
        RowFold fold = RowFold.of(scan);
        long nodeBytes = scan.shape().inner().numel() * scan.op().join().components() * Long.BYTES;
        Map<Integer, byte[]> early = new TreeMap<>();
        carries.add(fold.carry(grid.end(0)));
        jobs.run(
                this,
                IntStream.range(0, grid.chunks() - 1).boxed().toList(),
                new PartialsTask(),
                (chunk, bytes) -> {
                    early.put(chunk, bytes);
                    for (byte[] next = early.remove(carries.last());
                            next != null;
                            next = early.remove(carries.last())) {
                        for (FoldNode node : JavaBytes.read(next, FoldNode[].class)) {
                            fold.push(node);
                        }
                        carries.add(fold.carry(grid.end(carries.last() + 1)));
                    }
                },
                chunk -> nodeBytes * grid.nodes(chunk));
        return carries.build();
    }
}
