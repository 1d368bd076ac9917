package io.github.broadloom.exec;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.PanelFold;
import io.github.broadloom.device.PanelNode;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.util.List;
import org.apache.spark.SparkContext;

/** For each chunk of a contracted dimension the sums of its products, as {@link JavaBytes}. */
final class ProductFoldRDD extends ChunkRDD<byte[]> {
    private static final long serialVersionUID = 1L;

    private final transient Stage stage;
    private final transient Contraction whole;

    /** The CPU multiplies, on every device, so nothing is brought to another one. */
    ProductFoldRDD(SparkContext context, StageInputs inputs, Stage stage) {
        super(context, inputs, stage.outputs(), stage.grid(), Device.CPU, Scala.tag(byte[].class));
        this.stage = stage;
        this.whole = (Contraction) stage.outputs().get(0);
    }

    @Override
    List<byte[]> elements(ChunkTask task, Backend backend) throws IOException {
        Contraction part = (Contraction) outputs(task).get(0);
        long first = task.chunk().box().start(0);
        List<PanelNode> nodes = PanelFold.partials(backend, part, first);
        nodes.forEach(node -> MemoryMeter.array(node.sizeBytes()));
        return List.of(JavaBytes.of(nodes.toArray(PanelNode[]::new)));
    }

    /** One job: the sums of all chunks, joined on the driver as they arrive. */
    Tensor fold(JobRunner jobs) {
        PanelFold fold = new PanelFold(whole);
        RowGrid rows = stage.grid().along(0);
        RowGrid panels = rows.panels(whole.contractedCount() / Math.max(1, rows.rows()));
        long nodeBytes =
                whole.shape().numel() * PanelFold.sumType(whole.dtype()).bytes();
        jobs.run(
                this,
                new Tasks.Partials(),
                (chunk, bytes) -> {
                    for (PanelNode node : JavaBytes.read(bytes, PanelNode[].class)) {
                        fold.push(node);
                    }
                },
                chunk -> nodeBytes * panels.nodes(chunk));
        return fold.finish();
    }
}
