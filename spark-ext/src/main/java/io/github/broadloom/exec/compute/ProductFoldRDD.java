package io.github.broadloom.exec.compute;

import io.github.broadloom.cpu.reduce.ContractionFold;
import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.kernels.reduce.ContractionNode;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.MemoryMeter;
import java.io.IOException;
import java.util.List;
import org.apache.spark.SparkContext;

/** For each chunk of a contracted dimension the sums of its products, as {@link FoldMerge} takes them. */
final class ProductFoldRDD extends ChunkRDD<byte[]> {
    private static final long serialVersionUID = 1L;

    /** The CPU multiplies, on every device, so nothing is brought to another one. */
    ProductFoldRDD(SparkContext context, StageInputs inputs, Stage stage) {
        super(context, inputs, stage.outputs(), stage.grid(), Device.CPU, Scala.tag(byte[].class));
    }

    @Override
    List<byte[]> elements(ChunkTask task, Backend backend) throws IOException {
        Contraction part = (Contraction) outputs(task).get(0);
        long first = task.chunk().box().start(0);
        List<ContractionNode> nodes = ContractionFold.partials(backend, part, first);
        nodes.forEach(node -> MemoryMeter.array(node.sizeBytes()));
        return List.of(FoldMerge.OfPanels.partial(nodes));
    }
}
