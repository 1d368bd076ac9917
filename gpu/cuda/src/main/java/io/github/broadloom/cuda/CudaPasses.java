package io.github.broadloom.cuda;

import io.github.broadloom.cuda.code.CudaPass;
import io.github.broadloom.cuda.code.LaunchPlan;
import io.github.broadloom.cuda.code.LaunchPlan.Place;
import io.github.broadloom.cuda.code.PartialLaunches;
import io.github.broadloom.cuda.driver.CudaBuffers;
import io.github.broadloom.cuda.driver.DeviceWork;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.LineProgram;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.kernels.plan.Pass;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The passes of one evaluation, started one after the other. */
final class CudaPasses implements AutoCloseable {
    private final DeviceWork work;
    private final CudaBuffers buffers;
    /** One word, which a kernel sets that divides by zero; null while no kernel could. */
    private @Nullable Storage errorFlag;

    CudaPasses(DeviceWork work, CudaBuffers buffers) {
        this.work = work;
        this.buffers = buffers;
    }

    /** Computes a pointwise expression over leaves, and whatever is a leaf, into a target of its shape, or of one that it broadcasts to. */
    void pointwise(Expr root, Tensor target) {
        PointwiseProgram program = PointwiseProgram.of(root);
        if (!program.leaves().stream().allMatch(buffers::has) && alongLines(root, target)) {
            return;
        }
        List<Tensor> operands = operands(program);
        List<Place> places = places(operands);
        LaunchPlan plan =
                target.numel() == 0 ? LaunchPlan.NOTHING : LaunchPlan.of(program.spec(), places, Place.of(target));
        CudaPass pass = new CudaPass(new Pass.Map(root), List.of(), places, program.numbers(), target.layout(), plan);
        launch(pass, operands, List.of(target));
    }

    /** Computes an expression together with those reductions of its lines that are no leaves; false where they are leaves now, as no kernel does. */
    private boolean alongLines(Expr root, Tensor target) {
        Optional<LineProgram> found = LineProgram.of(root, buffers::has);
        if (found.isEmpty()) {
            return false;
        }
        LineProgram lines = found.get();
        List<Tensor> operands = lines.leaves().stream().map(buffers::of).toList();
        List<Place> places = places(operands);
        LaunchPlan plan = target.isContiguous() ? LaunchPlan.of(lines, places, Place.of(target)) : LaunchPlan.NOTHING;
        if (plan.launches().isEmpty()) {
            lines.folds()
                    .forEach(fold -> reduce(
                            fold.reductions(),
                            fold.reductions().stream().map(buffers::fresh).toList()));
            return false;
        }
        Pass map = new Pass.Map(root);
        CudaPass pass = new CudaPass(map, lines.reductions(), places, lines.numbers(), target.layout(), plan);
        launch(pass, operands, List.of(target));
        return true;
    }

    /** The value of a node on the device, which is computed now if it is no leaf yet. */
    Tensor value(Expr node) {
        if (!buffers.has(node)) {
            pointwise(node, buffers.fresh(node));
        }
        return buffers.of(node);
    }

    /** Computes products of matrices, rows and places by matrices, places and columns; none of size zero. */
    void product(Contraction contraction, Tensor left, Tensor right, Tensor target) {
        List<Tensor> operands = List.of(left, right);
        List<Place> places = places(operands);
        LaunchPlan plan = LaunchPlan.of(places, Place.of(target));
        CudaPass pass =
                new CudaPass(new Pass.Product(contraction), List.of(), places, List.of(), target.layout(), plan);
        launch(pass, operands, List.of(target));
    }

    /**
     * As {@link #product}, of one matrix by another; and keeps the least of its rows.
     *
     * @param first the number of the first column: of 0 nothing is kept of what was there
     * @param least int64, contiguous: the least of each row so far
     */
    void leastProducts(Contraction contraction, Tensor left, Tensor right, Tensor products, long first, Tensor least) {
        List<Tensor> operands = List.of(left, right);
        List<Place> places = places(operands);
        int count = Math.toIntExact(least.shape().size(1));
        LaunchPlan plan = LaunchPlan.of(places, Place.of(products), count);
        Pass pass = new Pass.Product(contraction);
        launch(
                new CudaPass(pass, List.of(), places, List.of(first), products.layout(), plan),
                operands,
                List.of(products, least));
    }

    /** Computes reductions of one operand, and the pointwise expression below it, into contiguous targets. */
    void reduce(List<Reduce> sharing, List<Tensor> targets) {
        PointwiseProgram program = PointwiseProgram.of(sharing.get(0).operand());
        List<Tensor> operands = operands(program);
        List<Place> places = places(operands);
        LaunchPlan plan = LaunchPlan.of(program.spec(), sharing, places);
        launch(alongLines(new Pass.Reduction(sharing, Optional.empty()), program, places, plan), operands, targets);
    }

    /** Computes a running sum or product, and the pointwise expression below it, into a contiguous target. */
    void scan(Along scan, Tensor target) {
        PointwiseProgram program = PointwiseProgram.of(scan.operand());
        List<Tensor> operands = operands(program);
        List<Place> places = places(operands);
        LaunchPlan plan = LaunchPlan.of(program.spec(), scan, places);
        launch(alongLines(new Pass.Scan(scan), program, places, plan), operands, List.of(target));
    }

    /** How the nodes of a chunk of rows are computed, of reductions that are computed together. */
    PartialLaunches partials(List<Reduce> together, long firstRow) {
        PointwiseProgram program = PointwiseProgram.of(together.get(0).operand());
        return LaunchPlan.partials(program.spec(), together, firstRow, places(operands(program)));
    }

    /** Computes the nodes of a chunk of rows, and copies them to an address of the device. */
    void partials(List<Reduce> together, PartialLaunches found, long target) {
        PointwiseProgram program = PointwiseProgram.of(together.get(0).operand());
        List<Tensor> operands = operands(program);
        CudaPass pass =
                alongLines(new Pass.Reduction(together, Optional.empty()), program, places(operands), found.plan());
        long bytes = found.plan().scratchBytes();
        inScratch(bytes, scratch -> {
            launch(pass, operands, new long[] {0}, scratch); // nothing is written but nodes
            work.copy(scratch + found.nodesFrom(), target, bytes - found.nodesFrom());
        });
    }

    /** A pass along lines of values, which are nowhere stored. */
    private static CudaPass alongLines(Pass pass, PointwiseProgram program, List<Place> places, LaunchPlan plan) {
        Layout values =
                Layout.contiguous(pass.results().get(0).children().get(0).shape());
        return new CudaPass(pass, List.of(), places, program.numbers(), values, plan);
    }

    private List<Tensor> operands(PointwiseProgram program) {
        return program.leaves().stream().map(buffers::of).toList();
    }

    private static List<Place> places(List<Tensor> operands) {
        return operands.stream().map(Place::of).toList();
    }

    private void launch(CudaPass pass, List<Tensor> operands, List<Tensor> targets) {
        long[] results = targets.stream().mapToLong(Tensor::deviceAddress).toArray();
        inScratch(pass.plan().scratchBytes(), scratch -> launch(pass, operands, results, scratch));
        work.keep(targets);
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

    private void launch(CudaPass pass, List<Tensor> operands, long[] results, long scratch) {
        int error = LaunchPlan.errorSlot(operands.size());
        long[] addresses = new long[error + 1 + results.length];
        for (int i = 0; i < operands.size(); i++) {
            addresses[i] = operands.get(i).deviceAddress();
        }
        addresses[operands.size()] = results[0];
        if (pass.plan().reportsErrors()) {
            addresses[error] = errorFlag();
        }
        addresses[error + 1] = scratch;
        System.arraycopy(results, 1, addresses, error + 2, results.length - 1);
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

    /** Waits for the kernels; an {@link ArithmeticException} where one divided an integer by zero. */
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

    @Override
    public void close() {
        Storage flag = errorFlag;
        if (flag != null) {
            errorFlag = null;
            flag.release();
        }
    }
}
