package io.github.broadloom.examples.bench;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Fills the operands of a workload. The values are the same in every run; a block of them repeats. */
final class Inputs {
    private static final int BLOCK = (1 << 20) - 3; // no power of two: neighbouring rows differ

    private Inputs() {}

    /** The operands by name, transposed where the text sees them so. The first varies around zero, the others above it. */
    static Map<String, Tensor> of(Workload workload) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        SplittableRandom random = new SplittableRandom(20_26);
        for (Workload.Operand operand : workload.operands()) {
            double low = tensors.isEmpty() ? -2 : 0.25;
            double high = tensors.isEmpty() ? 2 : 1.25;
            Tensor filled = filled(operand, random, low, high);
            tensors.put(operand.name(), operand.transposed() ? filled.t() : filled);
        }
        return tensors;
    }

    /** Gives the memory back at once. */
    static void release(Map<String, Tensor> tensors) {
        tensors.values().forEach(tensor -> tensor.storage().release());
    }

    private static Tensor filled(Workload.Operand operand, SplittableRandom random, double low, double high) {
        Tensor tensor = Tensors.empty(operand.dtype(), operand.shape());
        Tensor flat = tensor.flatten();
        long count = flat.numel();
        Tensor block = block((int) Math.min(count, BLOCK), operand.dtype(), random, low, high);
        for (long at = 0; at < count; at += BLOCK) {
            long length = Math.min(BLOCK, count - at);
            flat.narrow(0, at, length).copy_(block.narrow(0, 0, length));
        }
        block.storage().release();
        return tensor;
    }

    private static Tensor block(int count, DType dtype, SplittableRandom random, double low, double high) {
        if (dtype == DType.BOOL) {
            boolean[] values = new boolean[count];
            for (int i = 0; i < count; i++) {
                values[i] = random.nextInt(2) == 0;
            }
            return Tensors.copyOf(values, count);
        }
        boolean floating = dtype.isFloatingPoint();
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = floating ? random.nextDouble(low, high) : random.nextInt(256);
        }
        Tensor doubles = Tensors.copyOf(values, Shape.of(count).toArray());
        Tensor block = doubles.to(dtype);
        if (block != doubles) {
            doubles.storage().release();
        }
        return block;
    }
}
