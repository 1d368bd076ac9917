package io.github.broadloom.exec;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.FoldNode;
import io.github.broadloom.device.RowFold;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkContext;

/**
 * For each chunk the partial results of several reductions over the rows, as {@link JavaBytes}.
 */
final class FoldRDD extends ChunkRDD<byte[]> {
    private static final long serialVersionUID = 1L;

    FoldRDD(SparkContext context, StageInputs inputs, List<Expr> folds, ChunkGrid grid, Device device) {
        super(context, inputs, folds, grid, device, Scala.tag(byte[].class));
    }

    /** One job: the reductions of the stage, merged on the driver from the partial results as they arrive. */
    List<Tensor> fold(Stage stage, JobRunner jobs) {
        List<RowFold> folds = new ArrayList<>();
        long numbers = 0;
        for (Expr output : stage.outputs()) {
            Reduce reduce = (Reduce) output;
            folds.add(RowFold.of(reduce));
            numbers += output.shape().numel() * reduce.reduction().join().components();
        }
        long nodeBytes = numbers * Long.BYTES;
        RowGrid grid = stage.grid().along(0);
        jobs.run(
                this,
                new Tasks.Partials(),
                (chunk, bytes) -> push(folds, JavaBytes.read(bytes, FoldNode[][].class)),
                chunk -> nodeBytes * grid.nodes(chunk));
        return folds.stream().map(RowFold::finish).toList();
    }

    private static void push(List<RowFold> folds, FoldNode[][] nodes) {
        for (int i = 0; i < nodes.length; i++) {
            for (FoldNode node : nodes[i]) {
                folds.get(i).push(node);
            }
        }
    }

    @Override
    List<byte[]> elements(ChunkTask task, Backend backend) throws IOException {
        List<Reduce> reductions = outputs(task).stream().map(Reduce.class::cast).toList();
        FoldNode[][] nodes = backend.partials(reductions, task.chunk().box().start(0)).stream()
                .map(own -> own.toArray(FoldNode[]::new))
                .toArray(FoldNode[][]::new);
        for (FoldNode[] own : nodes) {
            Arrays.stream(own).mapToLong(FoldNode::sizeBytes).forEach(MemoryMeter::array);
        }
        return List.of(JavaBytes.of(nodes));
    }
}
