package io.github.broadloom.cuda;

import io.github.broadloom.cuda.code.PartialLaunches;
import io.github.broadloom.cuda.code.ScanLaunches;
import io.github.broadloom.cuda.driver.Cleanup;
import io.github.broadloom.cuda.driver.CudaBuffers;
import io.github.broadloom.cuda.driver.DeviceWork;
import io.github.broadloom.cuda.driver.DryRunStream;
import io.github.broadloom.cuda.driver.Gpu;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.kernels.plan.Pass;
import io.github.broadloom.kernels.plan.PassPlan;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * One evaluation on a device: the passes of a plan, one after the other; what has no kernel is the CPU's. It decides all that there is to decide, whether
 * the work is done or only {@linkplain DryRunStream written down}.
 */
final class CudaEvaluation implements AutoCloseable {
    private static final PassPlan.Rules RULES = new PassPlan.Rules(ScanLaunches::canCompute, false, true);

    private final DeviceWork work;
    private final CudaBuffers buffers;
    private final CudaPasses passes;
    private final CudaProducts products;

    /** @param shared tensors of this JVM that are on the device already, and where */
    CudaEvaluation(Gpu gpu, Map<Tensor, Tensor> shared) {
        this(gpu.stream(), shared);
    }

    CudaEvaluation(DeviceWork work, Map<Tensor, Tensor> shared) {
        this.work = work;
        this.buffers = new CudaBuffers(work, shared);
        this.passes = new CudaPasses(work, buffers);
        this.products = new CudaProducts(buffers, passes);
    }

    /** A fresh contiguous tensor on the device, which every thread may use. */
    Tensor evaluate(Expr root) {
        return Cleanup.filled(work.fresh(root.dtype(), root.shape()), result -> {
            evaluateInto(root, result);
            return result;
        });
    }

    /** Writes the value of the expression through the target's strides; done when this returns. */
    void evaluateInto(Expr root, Tensor target) {
        Pass last = passesBelow(plan(root));
        if (last instanceof Pass.Map || canWriteDirectly(root, target)) {
            write(last, target);
        } else {
            run(last);
            passes.pointwise(root, target);
        }
        passes.finish();
    }

    /** Whether nothing is read of what is written over meanwhile, and nothing has to be repeated. */
    private static boolean canWriteDirectly(Expr root, Tensor target) {
        return root.shape().equals(target.shape())
                && root.inputs().stream()
                        .noneMatch(
                                input -> input.source() instanceof Tensor read && read.storage() == target.storage());
    }

    /** Starts to bring the value of the expression to a contiguous tensor of this JVM; it is there after {@link #finish}. */
    void start(Expr root, Tensor target) {
        Pass last = passesBelow(plan(root));
        Tensor there = buffers.memory(root);
        write(last, there);
        work.startDownload(there, target);
    }

    /** Waits for what was started; an {@link ArithmeticException} where an integer was divided by zero. */
    void finish() {
        passes.finish();
    }

    /** The nodes of a chunk of rows, for each of its reductions. They come to this JVM in one copy. */
    ChunkNodes partials(List<Reduce> chunk, long firstRow) {
        List<ChunkNodes.Region> regions = new ArrayList<>();
        long bytes = 0;
        for (List<Reduce> sharing : Reduce.byOperand(chunk).values()) {
            passesBelow(PassPlan.of(sharing, RULES, buffers::has));
            for (List<Reduce> together : PartialLaunches.together(sharing)) {
                ChunkNodes.Region region = new ChunkNodes.Region(together, passes.partials(together, firstRow), bytes);
                regions.add(region);
                bytes += region.sizeBytes();
            }
        }
        Shape numbers = Shape.of(bytes / Long.BYTES);
        Tensor there = work.fresh(DType.INT64, numbers);
        Tensor here = work.freshHere(DType.INT64, numbers);
        try {
            for (ChunkNodes.Region region : regions) {
                passes.partials(region.together(), region.launches(), there.deviceAddress() + region.offset());
            }
            work.download(there, here);
            passes.finish();
            return new ChunkNodes(regions, here, firstRow);
        } catch (RuntimeException | Error e) {
            here.release();
            throw e;
        } finally {
            there.release();
        }
    }

    private PassPlan plan(Expr root) {
        return PassPlan.of(root, RULES, buffers::has);
    }

    private Pass passesBelow(PassPlan plan) {
        plan.below().forEach(this::run);
        return plan.last();
    }

    private void run(Pass pass) {
        if (pass instanceof Pass.Reduction reduction) {
            passes.reduce(
                    reduction.results(),
                    reduction.results().stream().map(buffers::fresh).toList());
        } else if (pass instanceof Pass.View rearranged && !isBackwards(rearranged.node())) {
            moved(rearranged);
        } else if (pass instanceof Pass.Product product && CudaProducts.computes(product.node())) {
            products.leaf(product.node());
        } else if (pass instanceof Pass.Single single) {
            write(single, buffers.fresh(single.node()));
        }
    }

    private void write(Pass pass, Tensor target) {
        Expr node = pass.results().get(0);
        boolean isCopied = pass instanceof Pass.View rearranged && !isBackwards(rearranged.node())
                || goesAlongLines(node) && !target.isContiguous();
        if (isCopied) {
            run(pass);
            passes.pointwise(node, target);
        } else if (pass instanceof Pass.Map) {
            passes.pointwise(node, target);
        } else if (pass instanceof Pass.Reduction reduction) {
            passes.reduce(reduction.results(), List.of(target));
        } else if (pass instanceof Pass.Scan scan && goesAlongLines(node)) {
            passes.scan(scan.node(), target);
        } else if (pass instanceof Pass.Join join) {
            joined(join, target);
        } else if (pass instanceof Pass.Product product && CudaProducts.computes(node)) {
            products.write(product.node(), target);
        } else {
            onCpu(node, target);
        }
    }

    /** Whether the kernels of a node also compute what is pointwise below it, and write what is contiguous. */
    private static boolean goesAlongLines(Expr node) {
        return node instanceof Reduce || node instanceof Along along && ScanLaunches.canCompute(along);
    }

    /** Each part is computed into its place, and stored nowhere else. */
    private void joined(Pass.Join join, Tensor target) {
        work.note(() -> join.title() + ": each part in its place");
        Concat concat = join.node();
        long start = 0;
        for (Expr part : concat.children()) {
            long length = part.shape().size(concat.dim());
            passes.pointwise(part, target.narrow(concat.dim(), start, length));
            start += length;
        }
    }

    /** Whether a move takes steps backwards, which no layout has. */
    private static boolean isBackwards(Rearrange rearrange) {
        return rearrange.viewOp() instanceof ViewOp.Flip flip
                && !flip.isIdentity(rearrange.operand().shape());
    }

    /** Moves are views of what is computed first, but for those that only a copy can have. */
    private void moved(Pass.View view) {
        Expr operand = view.node().operand();
        ViewOp move = view.node().viewOp();
        Tensor value = passes.value(operand);
        boolean copies = move.view(value.layout()).isEmpty();
        work.note(() -> view.title() + (copies ? ": a view of a packed copy" : ": a view"));
        buffers.putView(view.node(), move.apply(copies ? packed(operand) : value));
    }

    private Tensor packed(Expr leaf) {
        Tensor packed = buffers.memory(leaf);
        passes.pointwise(leaf, packed);
        return packed;
    }

    /** There is no kernel: the operands go to this JVM, and the result comes back. */
    private void onCpu(Expr node, Tensor target) {
        List<Tensor> copies = new ArrayList<>();
        Map<Expr, Expr> known = new IdentityHashMap<>();
        try {
            List<Expr> operands = node.children().stream()
                    .map(child -> known.computeIfAbsent(child, c -> onHost(c, copies)))
                    .toList();
            Tensor computed = work.onCpu(node, operands);
            copies.add(computed);
            if (target.isContiguous()) {
                work.upload(computed, target);
            } else {
                work.upload(computed, buffers.fresh(node));
                passes.pointwise(node, target);
            }
        } finally {
            copies.forEach(Tensor::release);
        }
    }

    /** The operand in this JVM: itself where it is here, else a copy. */
    private Expr onHost(Expr operand, List<Tensor> copies) {
        if (operand instanceof Input input && input.source() instanceof Tensor tensor && work.isHere(tensor)) {
            return operand.device().isCpu() ? operand : Input.of(tensor);
        }
        Tensor value = passes.value(operand);
        Tensor packed = value.isContiguous() ? value : packed(operand);
        passes.finish(); // an error of what is below comes before those of the CPU
        Tensor copy = work.freshHere(value.dtype(), value.shape());
        copies.add(copy);
        work.download(packed, copy);
        return Input.of(copy);
    }

    @Override
    public void close() {
        try {
            work.close();
        } finally {
            passes.close();
            buffers.close();
        }
    }
}
