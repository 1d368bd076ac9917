package io.github.broadloom.device.cuda;

import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.codegen.cuda.CudaArgument.Address;
import io.github.broadloom.codegen.cuda.CudaLaunch;
import io.github.broadloom.codegen.cuda.PointwiseLaunches;
import io.github.broadloom.codegen.cuda.ReductionLaunches;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The kernels of one evaluation, put into its lane one after the other. */
final class CudaPasses implements AutoCloseable {
    /** What packets are read by; a better alignment is no better. */
    private static final long PACKET_BYTES = 16;

    private final Lane lane;
    private final CudaLeaves leaves;
    /** One word, which a kernel sets that divides by zero; null while no kernel could. */
    private @Nullable DeviceBlock errorFlag;

    CudaPasses(Lane lane, CudaLeaves leaves) {
        this.lane = lane;
        this.leaves = leaves;
    }

    /** Computes a pointwise expression over leaves, and whatever is a leaf, into a target of its shape, or of one that it broadcasts to. */
    void pointwise(Expr root, Tensor target) {
        if (target.numel() == 0) {
            return;
        }
        PointwiseProgram program = PointwiseProgram.of(root);
        List<Tensor> operands = program.leaves().stream().map(leaves::of).toList();
        LoopNest nest = LoopNest.of(
                target.layout(), operands.stream().map(Tensor::layout).toList());
        List<Tensor> buffers = new ArrayList<>(operands);
        buffers.add(target);
        launch(PointwiseLaunches.of(program.spec(), nest, alignments(buffers)), buffers, 0, () -> described(root));
    }

    /** Computes a reduction and the pointwise expression below it into a contiguous target. */
    void reduce(Reduce reduce, Tensor target) {
        PointwiseProgram program = PointwiseProgram.of(reduce.operand());
        KernelSpec spec = program.spec();
        List<Tensor> operands = program.leaves().stream().map(leaves::of).toList();
        ReductionLaunches launches = ReductionLaunches.of(
                spec, reduce, operands.stream().map(Tensor::layout).toList(), alignments(operands));
        List<Tensor> buffers = new ArrayList<>(operands);
        buffers.add(target);
        launch(launches.launches(), buffers, launches.scratchBytes(), () -> described(reduce));
    }

    private void launch(List<CudaLaunch> launches, List<Tensor> buffers, long scratchBytes, Supplier<String> what) {
        int error = buffers.size();
        long[] addresses = new long[error + 2];
        for (int i = 0; i < buffers.size(); i++) {
            addresses[i] = buffers.get(i).deviceAddress();
        }
        if (launches.stream().anyMatch(launch -> usesSlot(launch, error))) {
            addresses[error] = errorFlag();
        }
        DeviceBlock scratch = scratchBytes == 0 ? null : lane.allocate(scratchBytes);
        addresses[error + 1] = scratch == null ? 0 : scratch.address();
        try {
            launches.forEach(launch -> lane.launch(launch, addresses, what));
        } finally {
            lane.keep(buffers);
            if (scratch != null) {
                scratch.release();
            }
        }
    }

    private static boolean usesSlot(CudaLaunch launch, int slot) {
        return launch.arguments().stream()
                .anyMatch(argument -> argument instanceof Address address && address.slot() == slot);
    }

    private long errorFlag() {
        DeviceBlock flag = errorFlag;
        if (flag == null) {
            flag = lane.allocate(Integer.BYTES);
            errorFlag = flag;
            lane.fill(flag.address(), (byte) 0, Integer.BYTES);
        }
        return flag.address();
    }

    /**
     * Waits for the kernels.
     *
     * @throws ArithmeticException where one divided an integer by zero
     */
    void finish() {
        DeviceBlock flag = errorFlag;
        if (flag == null) {
            lane.synchronize();
            return;
        }
        errorFlag = null;
        Storage word = Storage.allocateZeroed(Integer.BYTES);
        try {
            lane.download(flag.address(), word.address(), Integer.BYTES);
            lane.synchronize();
            if (RawMemory.getInt(word.address()) != 0) {
                throw new ArithmeticException("ZeroDivisionError");
            }
        } finally {
            word.release();
            flag.release();
        }
    }

    /** What is left where the evaluation failed. */
    @Override
    public void close() {
        DeviceBlock flag = errorFlag;
        if (flag != null) {
            errorFlag = null;
            flag.release();
        }
    }

    private static int[] alignments(List<Tensor> tensors) {
        return tensors.stream()
                .mapToInt(tensor -> (int) Math.min(PACKET_BYTES, Long.lowestOneBit(tensor.deviceAddress())))
                .toArray();
    }

    private static String described(Expr expr) {
        return "compute " + expr + " as " + expr.dtype() + " " + expr.shape();
    }
}
