package io.github.broadloom.device.cuda;

import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.codegen.cuda.PartialLaunches;
import io.github.broadloom.device.cuda.LaunchPlan.Place;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The passes of one evaluation, started one after the other. */
final class CudaPasses implements AutoCloseable {
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
        List<Tensor> operands = operands(program);
        List<Place> places = places(operands);
        LaunchPlan plan =
                target.numel() == 0 ? LaunchPlan.NOTHING : LaunchPlan.of(program.spec(), places, Place.of(target));
        launch(new CudaPass(root, program, places, target.layout(), plan), operands, target);
    }

    /** Computes a reduction and the pointwise expression below it into a contiguous target. */
    void reduce(Reduce reduce, Tensor target) {
        PointwiseProgram program = PointwiseProgram.of(reduce.operand());
        List<Tensor> operands = operands(program);
        List<Place> places = places(operands);
        LaunchPlan plan = LaunchPlan.of(program.spec(), reduce, places);
        launch(pass(reduce, program, places, plan), operands, target);
    }

    /** Computes a running sum or product, and the pointwise expression below it, into a contiguous target. */
    void scan(Along scan, Tensor target) {
        PointwiseProgram program = PointwiseProgram.of(scan.operand());
        List<Tensor> operands = operands(program);
        List<Place> places = places(operands);
        LaunchPlan plan = LaunchPlan.of(program.spec(), scan, places);
        launch(pass(scan, program, places, plan), operands, target);
    }

    /** How the nodes of a chunk of rows are computed. */
    PartialLaunches partials(Reduce reduce, long firstRow) {
        PointwiseProgram program = PointwiseProgram.of(reduce.operand());
        return LaunchPlan.partials(program.spec(), reduce, firstRow, places(operands(program)));
    }

    /** Computes the nodes of a chunk of rows, and copies them to an address of the device. */
    void partials(Reduce reduce, PartialLaunches found, long target) {
        PointwiseProgram program = PointwiseProgram.of(reduce.operand());
        List<Tensor> operands = operands(program);
        LaunchPlan plan = LaunchPlan.of(found, operands.size());
        CudaPass pass = pass(reduce, program, places(operands), plan);
        inScratch(plan.scratchBytes(), scratch -> {
            launch(pass, operands, 0, scratch); // nothing is written but nodes
            work.copy(scratch + found.nodesFrom(), target, found.scratchBytes() - found.nodesFrom());
        });
    }

    /** A pass along lines of values, which are nowhere stored. */
    private static CudaPass pass(Expr root, PointwiseProgram program, List<Place> places, LaunchPlan plan) {
        Layout values = Layout.contiguous(root.children().get(0).shape());
        return new CudaPass(root, program, places, values, plan);
    }

    private List<Tensor> operands(PointwiseProgram program) {
        return program.leaves().stream().map(leaves::of).toList();
    }

    private static List<Place> places(List<Tensor> operands) {
        return operands.stream().map(Place::of).toList();
    }

    private void launch(CudaPass pass, List<Tensor> operands, Tensor target) {
        inScratch(pass.plan().scratchBytes(), scratch -> launch(pass, operands, target.deviceAddress(), scratch));
        work.keep(target);
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

    private void launch(CudaPass pass, List<Tensor> operands, long result, long scratch) {
        int error = LaunchPlan.errorSlot(operands.size());
        long[] addresses = new long[error + 2];
        for (int i = 0; i < operands.size(); i++) {
            addresses[i] = operands.get(i).deviceAddress();
        }
        addresses[operands.size()] = result;
        if (pass.plan().reportsErrors()) {
            addresses[error] = errorFlag();
        }
        addresses[error + 1] = scratch;
        try {
            work.launch(pass, addresses);
        } finally {
            work.keep(operands);
        }
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
}
