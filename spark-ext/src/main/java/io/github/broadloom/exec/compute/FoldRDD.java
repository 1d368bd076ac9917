package io.github.broadloom.exec.compute;

import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.MemoryMeter;
import java.io.IOException;
import java.util.List;
import org.apache.spark.SparkContext;

/** For each chunk the partial results of several reductions over the rows, as {@link FoldMerge} takes them. */
final class FoldRDD extends ChunkRDD<byte[]> {
    private static final long serialVersionUID = 1L;

    FoldRDD(SparkContext context, StageInputs inputs, List<Expr> folds, ChunkGrid grid, Device device) {
        super(context, inputs, folds, grid, device, Scala.tag(byte[].class));
    }

    @Override
    List<byte[]> elements(ChunkTask task, Backend backend) throws IOException {
        List<Reduce> reductions = outputs(task).stream().map(Reduce.class::cast).toList();
        List<List<FoldNode>> nodes =
                backend.partials(reductions, task.chunk().box().start(0));
        nodes.stream().flatMap(List::stream).mapToLong(FoldNode::sizeBytes).forEach(MemoryMeter::array);
        return List.of(FoldMerge.OfRows.partial(nodes));
    }
}
