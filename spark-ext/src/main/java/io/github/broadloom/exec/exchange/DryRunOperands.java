package io.github.broadloom.exec.exchange;

import io.github.broadloom.cuda.CudaRecording;
import io.github.broadloom.exec.read.LocalSource;
import io.github.broadloom.plan.Access;
import io.github.broadloom.plan.Box;
import io.github.broadloom.plan.Operand;
import io.github.broadloom.plan.Source;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.Transport;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.HashMap;
import java.util.Map;

/** The operands of a stage's chunks as their tasks have them, without elements: to find out what a task would do. */
final class DryRunOperands {
    private final Stage stage;

    DryRunOperands(Stage stage) {
        this.stage = stage;
    }

    private record Reading(Source source, Box box) {}

    /** The operands of a task, by their slots. */
    Tensor[] of(Box task) {
        Map<Reading, Tensor> readings = new HashMap<>();
        Tensor[] tensors = new Tensor[stage.operands().size()];
        for (int i = 0; i < tensors.length; i++) {
            tensors[i] = operand(stage.operands().get(i), task, readings);
        }
        return tensors;
    }

    private Tensor operand(Operand operand, Box task, Map<Reading, Tensor> readings) {
        Access access = operand.access();
        boolean replicated = operand.transport() == Transport.BROADCAST && operand.isCommon();
        Box chunk = replicated ? Box.whole(stage.grid().shape()) : task;
        Source source = operand.source();
        Tensor block = readings.computeIfAbsent(new Reading(source, access.box(chunk)), DryRunOperands::block);
        if (access.copies()) {
            return CudaRecording.here(source.dtype(), Layout.contiguous(access.shape(chunk)));
        }
        Tensor moved = access.moved(block, chunk);
        return moved.device().isCpu() ? CudaRecording.here(moved.dtype(), moved.layout()) : moved;
    }

    /** A block as it is read: in order, but for the dimensions of a local tensor that repeat one element. */
    private static Tensor block(Reading reading) {
        Shape shape = reading.box.shape();
        long[] held = shape.toArray();
        if (reading.source instanceof LocalSource local) {
            Layout layout = local.tensor().layout();
            for (int d = 0; d < held.length; d++) {
                held[d] = layout.stride(d) == 0 ? Math.min(1, held[d]) : held[d];
            }
        }
        Layout distinct = Layout.contiguous(Shape.of(held));
        return CudaRecording.here(reading.source.dtype(), distinct.expand(shape));
    }
}
