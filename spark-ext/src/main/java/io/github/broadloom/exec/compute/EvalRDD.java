package io.github.broadloom.exec.compute;

import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.exec.jobs.TaskScope;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.util.List;
import org.apache.spark.SparkContext;

/** The chunks of an expression's value: one block for each, made by one fused kernel. */
final class EvalRDD extends ChunkRDD<Block> {
    private static final long serialVersionUID = 1L;

    EvalRDD(SparkContext context, StageInputs inputs, Expr output, ChunkGrid grid, Device device) {
        super(context, inputs, List.of(output), grid, device, Scala.tag(Block.class));
    }

    @Override
    List<Block> elements(ChunkTask task, Backend backend) throws IOException {
        Tensor value = value(outputs(task).get(0), backend, task.scope());
        return List.of(Block.owning(value, task.chunk().box().starts()));
    }

    private static Tensor value(Expr output, Backend backend, TaskScope scope) {
        if (!(output instanceof Input input)) {
            Tensor computed = backend.evaluate(output);
            boolean shared = output.inputs().stream().anyMatch(operand -> isOver(computed, operand));
            return shared ? computed.copy() : computed;
        }
        // Nothing to compute: what was read for this task is the result itself.
        Tensor tensor = (Tensor) input.source();
        boolean whole = TensorBytes.count(tensor) == tensor.storage().sizeBytes();
        if (scope.owns(tensor) && tensor.isContiguous() && whole) {
            scope.giveAway(tensor);
            return tensor;
        }
        return tensor.copy();
    }

    private static boolean isOver(Tensor computed, Input operand) {
        return operand.source() instanceof Tensor tensor && tensor.storage() == computed.storage();
    }
}
