package io.github.broadloom.device.cuda;

import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.codegen.cuda.CudaArgument.Address;
import io.github.broadloom.codegen.cuda.CudaLaunch;
import io.github.broadloom.codegen.cuda.PartialLaunches;
import io.github.broadloom.codegen.cuda.PointwiseLaunches;
import io.github.broadloom.codegen.cuda.ReductionLaunches;
import io.github.broadloom.codegen.cuda.ScanLaunches;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The passes of one evaluation, started one after the other. */
final class CudaPasses implements AutoCloseable {
    /** What packets are read by; a better alignment is no better. */
    private static final long PACKET_BYTES = 16;

    private final DeviceWork work;
    private final CudaLeaves leaves;
    /** One word, which a kernel sets that divides by zero; null while no kernel could. */
    private @Nullable Storage errorFlag;

    CudaPasses(DeviceWork work, CudaLeaves leaves) {
        this.work = work;
        this.leaves = leaves;
    }

    /** Computes a pointwise expression over leaves, and whatever is a leaf, into a target of its shape, or of one that it broadcasts to. */
    void pointwise(Expr root, Tensor target) {
        PointwiseProgram program = PointwiseProgram.of(root);
        List<Tensor> buffers = buffers(program, target);
        List<Layout> layouts = layouts(program, buffers);
        List<CudaLaunch> launches = target.numel() == 0
                ? List.of()
                : PointwiseLaunches.of(program.spec(), LoopNest.of(target.layout(), layouts), alignments(buffers));
        launch(new CudaPass(root, program, layouts, target.layout(), launches), buffers, 0);
    }

    /** Computes a reduction and the pointwise expression below it into a contiguous target. */
    void reduce(Reduce reduce, Tensor target) {
        PointwiseProgram program = PointwiseProgram.of(reduce.operand());
        List<Tensor> buffers = buffers(program, target);
        List<Layout> layouts = layouts(program, buffers);
        ReductionLaunches found = ReductionLaunches.of(program.spec(), reduce, layouts, alignments(buffers));
        Layout values = Layout.contiguous(reduce.operand().shape());
        launch(new CudaPass(reduce, program, layouts, values, found.launches()), buffers, found.scratchBytes());
    }

    /** Computes a running sum or product, and the pointwise expression below it, into a contiguous target. */
    void scan(Along scan, Tensor target) {
        PointwiseProgram program = PointwiseProgram.of(scan.operand());
        List<Tensor> buffers = buffers(program, target);
        List<Layout> layouts = layouts(program, buffers);
        ScanLaunches found = ScanLaunches.of(program.spec(), scan, layouts, alignments(buffers));
        Layout values = Layout.contiguous(scan.operand().shape());
        launch(new CudaPass(scan, program, layouts, values, found.launches()), buffers, found.scratchBytes());
    }

    /** How the nodes of a chunk of rows are computed. */
    PartialLaunches partials(Reduce reduce, long firstRow) {
        PointwiseProgram program = PointwiseProgram.of(reduce.operand());
        List<Tensor> operands = operands(program);
        return PartialLaunches.of(program.spec(), reduce, firstRow, layouts(program, operands), alignments(operands));
    }

    /** Computes the nodes of a chunk of rows, and copies them to an address of the device. */
    void partials(Reduce reduce, PartialLaunches found, long target) {
        PointwiseProgram program = PointwiseProgram.of(reduce.operand());
        List<Tensor> operands = operands(program);
        List<Layout> layouts = layouts(program, operands);
        Layout values = Layout.contiguous(reduce.operand().shape());
        CudaPass pass = new CudaPass(reduce, program, layouts, values, found.launches());
        int error = operands.size() + 1; // behind the slot of a result, which there is none of
        inScratch(found.scratchBytes(), scratch -> {
            launch(pass, operands, error, scratch);
            work.copy(scratch + found.nodesFrom(), target, found.scratchBytes() - found.nodesFrom());
        });
    }

    private List<Tensor> operands(PointwiseProgram program) {
        return program.leaves().stream().map(leaves::of).toList();
    }

    /** The operands and behind them the target. */
    private List<Tensor> buffers(PointwiseProgram program, Tensor target) {
        List<Tensor> buffers = new ArrayList<>(operands(program));
        buffers.add(target);
        return buffers;
    }

    private static List<Layout> layouts(PointwiseProgram program, List<Tensor> buffers) {
        return buffers.subList(0, program.leaves().size()).stream()
                .map(Tensor::layout)
                .toList();
    }

    private void launch(CudaPass pass, List<Tensor> buffers, long scratchBytes) {
        inScratch(scratchBytes, scratch -> launch(pass, buffers, buffers.size(), scratch));
    }

    private void inScratch(long bytes, LongConsumer launch) {
        Storage scratch = bytes == 0 ? null : work.memory(bytes);
        try {
            launch.accept(scratch == null ? 0 : scratch.deviceAddress());
        } finally {
            if (scratch != null) {
                scratch.release();
            }
        }
    }

    /** @param error the slot of the error flag; the next is that of the scratch memory */
    private void launch(CudaPass pass, List<Tensor> buffers, int error, long scratch) {
        long[] addresses = new long[error + 2];
        for (int i = 0; i < buffers.size(); i++) {
            addresses[i] = buffers.get(i).deviceAddress();
        }
        if (pass.launches().stream().anyMatch(launch -> usesSlot(launch, error))) {
            addresses[error] = errorFlag();
        }
        addresses[error + 1] = scratch;
        try {
            work.launch(pass, addresses);
        } finally {
            work.keep(buffers);
        }
    }

    private static boolean usesSlot(CudaLaunch launch, int slot) {
        return launch.arguments().stream()
                .anyMatch(argument -> argument instanceof Address address && address.slot() == slot);
    }

    private long errorFlag() {
        Storage flag = errorFlag;
        if (flag == null) {
            flag = work.memory(Integer.BYTES);
            errorFlag = flag;
            work.fill(flag, (byte) 0);
        }
        return flag.deviceAddress();
    }

    /**
     * Waits for the kernels.
     *
     * @throws ArithmeticException where one divided an integer by zero
     */
    void finish() {
        Storage flag = errorFlag;
        if (flag == null) {
            work.synchronize();
            return;
        }
        errorFlag = null;
        try {
            if (work.word(flag) != 0) {
                throw new ArithmeticException("ZeroDivisionError");
            }
        } finally {
            flag.release();
        }
    }

    /** What is left where the evaluation failed. */
    @Override
    public void close() {
        Storage flag = errorFlag;
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
}
