package io.github.broadloom.bench;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Fills the operands of a workload. Every contender fills them with the same values, by the same formula, so that their
 * results can be compared: element i of operand k is made of the upper bits of (i + 1 + {@value #APART} k) times
 * {@value #FACTOR}, modulo 2³²; 24 bits make a float32 exactly. A block of values repeats.
 */
final class WorkloadInputs {
    /** The length of the block: no power of two, so that neighbouring rows differ. */
    static final int BLOCK = (1 << 20) - 3;

    private static final long FACTOR = 2_654_435_761L; // Knuth's: 2³² over the golden ratio
    private static final int APART = 7919;

    private WorkloadInputs() {}

    /** The operands by name on a device, transposed where the text sees them so. The first varies around zero, the others above it. */
    static Map<String, Tensor> of(Workload workload, Device device) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (Workload.Operand operand : workload.operands()) {
            Tensor filled = filled(operand, tensors.size(), device);
            tensors.put(operand.name(), operand.transposed() ? filled.t() : filled);
        }
        return tensors;
    }

    static void release(Map<String, Tensor> tensors) {
        tensors.values().forEach(tensor -> tensor.release());
    }

    private static Tensor filled(Workload.Operand operand, int number, Device device) {
        Tensor tensor = Tensors.empty(operand.dtype(), operand.shape(), device);
        Tensor flat = tensor.flatten();
        long count = flat.numel();
        Tensor made = block((int) Math.min(count, BLOCK), operand.dtype(), number);
        Tensor block = made.to(device);
        for (long at = 0; at < count; at += BLOCK) {
            long length = Math.min(BLOCK, count - at);
            flat.narrow(0, at, length).copy_(block.narrow(0, 0, length));
        }
        block.release();
        made.release();
        return tensor;
    }

    private static Tensor block(int count, DType dtype, int number) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            int bits = (int) ((i + 1 + (long) APART * number) * FACTOR);
            values[i] = value(bits, dtype, number);
        }
        Tensor floats = Tensors.copyOf(values, count);
        Tensor block = floats.to(dtype);
        if (block != floats) {
            floats.release();
        }
        return block;
    }

    /** The first operand is between -2 and 2, the others between 0.25 and 1.25. */
    private static float value(int bits, DType dtype, int number) {
        if (dtype == DType.BOOL) {
            return bits >>> 31;
        }
        if (!dtype.isFloatingPoint()) {
            return bits >>> 24;
        }
        float unit = (bits >>> 8) * 0x1p-24f;
        return number == 0 ? unit * 4 - 2 : unit + 0.25f;
    }
}
