package io.github.broadloom.device.cuda;

import io.github.broadloom.codegen.cuda.PartialLaunches;
import io.github.broadloom.codegen.cuda.ScanLaunches;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Move;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * One evaluation on a device: reductions, each with the pointwise expression below it, what is rearranged or joined, and what only the CPU can do,
 * from the bottom up; then what stands above them. It decides all that there is to decide, whether the work is done or only
 * {@linkplain PaperLane written down}.
 */
final class CudaEvaluation implements AutoCloseable {
    private final DeviceWork work;
    private final CudaLeaves leaves;
    private final CudaPasses passes;
    private final CudaProducts products;

    /** @param shared tensors of this JVM that are on the device already, and where */
    CudaEvaluation(Gpu gpu, Map<Tensor, Tensor> shared) {
        this(gpu.lane(), shared);
    }

    /** @param work which this closes */
    CudaEvaluation(DeviceWork work, Map<Tensor, Tensor> shared) {
        this.work = work;
        this.leaves = new CudaLeaves(work, shared);
        this.passes = new CudaPasses(work, leaves);
        this.products = new CudaProducts(leaves, passes);
    }

    /** A fresh contiguous tensor on the device, which every thread may use. */
    Tensor evaluate(Expr root) {
        Tensor result = work.fresh(root.dtype(), root.shape());
        try {
            evaluateInto(root, result);
            return result;
        } catch (RuntimeException | Error e) {
            result.release();
            throw e;
        }
    }

    /** Writes the value of the expression through the target's strides; done when this returns. */
    void evaluateInto(Expr root, Tensor target) {
        leavesBelow(root);
        write(root, target);
        passes.finish();
    }

    /** Starts to bring the value of the expression to a contiguous tensor of this JVM; it is there after {@link #finish}. */
    void start(Expr root, Tensor target) {
        leavesBelow(root);
        Tensor there = leaves.memory(root);
        write(root, there);
        work.startDownload(there, target);
    }

    /**
     * Waits for what was started.
     *
     * @throws ArithmeticException where an integer was divided by zero
     */
    void finish() {
        passes.finish();
    }

    /** The nodes of a chunk of rows, for each of its reductions. They come to this JVM in one copy. */
    ChunkNodes partials(List<Reduce> chunk, long firstRow) {
        List<ChunkNodes.Region> regions = new ArrayList<>();
        long bytes = 0;
        for (List<Reduce> sharing : Reduce.byOperand(chunk).values()) {
            leavesBelow(sharing.get(0));
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

    private void leavesBelow(Expr root) {
        List<Expr> below =
                root.postOrder().stream().filter(node -> node != root).toList();
        Map<Expr, List<Reduce>> byOperand = Reduce.byOperand(below.stream()
                .filter(Reduce.class::isInstance)
                .map(Reduce.class::cast)
                .toList());
        for (Expr node : below) {
            if (isPointwise(node) || leaves.has(node)) {
                continue;
            }
            if (node instanceof Reduce reduce) {
                List<Reduce> sharing = byOperand.getOrDefault(reduce.operand(), List.of(reduce));
                passes.reduce(sharing, sharing.stream().map(leaves::fresh).toList());
            } else {
                leaf(node);
            }
        }
    }

    private static boolean isPointwise(Expr node) {
        return node instanceof Apply || node instanceof Cast || node instanceof Literal || node instanceof Input;
    }

    /** Computes a node that no kernel can compute together with what stands above it. */
    private void leaf(Expr node) {
        if (node instanceof Rearrange rearrange && !isBackwards(rearrange)) {
            moved(rearrange);
        } else if (CudaProducts.computes(node)) {
            products.leaf((Contraction) node);
        } else {
            write(node, leaves.fresh(node));
        }
    }

    private void write(Expr node, Tensor target) {
        if (goesAlongLines(node)) {
            if (!target.isContiguous()) {
                passes.pointwise(stored(node), target);
            } else if (node instanceof Reduce reduce) {
                passes.reduce(List.of(reduce), List.of(target));
            } else {
                passes.scan((Along) node, target);
            }
        } else if (node instanceof Concat concat) {
            joined(concat, target);
        } else if (isPointwise(node)) {
            passes.pointwise(node, target);
        } else if (node instanceof Rearrange rearrange && !isBackwards(rearrange)) {
            moved(rearrange);
            passes.pointwise(node, target);
        } else if (CudaProducts.computes(node)) {
            products.write((Contraction) node, target);
        } else {
            onCpu(node, target);
        }
    }

    /** Whether the kernels of a node also compute what is pointwise below it, and write what is contiguous. */
    private static boolean goesAlongLines(Expr node) {
        return node instanceof Reduce || node instanceof Along along && ScanLaunches.canCompute(along);
    }

    /** The node as a leaf. */
    private Expr stored(Expr node) {
        leaf(node);
        return node;
    }

    /** Each part is computed into its place, and stored nowhere else. */
    private void joined(Concat concat, Tensor target) {
        work.note(() -> concat + " of " + CudaPass.type(concat) + ": each part in its place");
        long start = 0;
        for (Expr part : concat.children()) {
            long length = part.shape().size(concat.dim());
            passes.pointwise(part, target.narrow(concat.dim(), start, length));
            start += length;
        }
    }

    /** Whether a move takes steps backwards, which no layout has. */
    private static boolean isBackwards(Rearrange rearrange) {
        return rearrange.move() instanceof Move.Flip flip
                && !flip.isIdentity(rearrange.operand().shape());
    }

    /** Moves are views of what is computed first, but for those that only a copy can have. */
    private void moved(Rearrange rearrange) {
        Expr operand = rearrange.operand();
        Move move = rearrange.move();
        Tensor value = passes.value(operand);
        boolean copies = move.view(value.layout()).isEmpty();
        work.note(() -> move + " of " + CudaPass.type(operand) + (copies ? ": a view of a packed copy" : ": a view"));
        leaves.putView(rearrange, move.apply(copies ? packed(operand) : value));
    }

    /** A contiguous copy of a leaf. */
    private Tensor packed(Expr leaf) {
        Tensor packed = leaves.memory(leaf);
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
                work.upload(computed, leaves.fresh(node));
                passes.pointwise(node, target);
            }
        } finally {
            copies.forEach(Tensor::release);
        }
    }

    /** The operand in this JVM: itself where it is here, else a copy. */
    private Expr onHost(Expr operand, List<Tensor> copies) {
        if (operand instanceof Input input && input.source() instanceof Tensor tensor && work.isHere(tensor)) {
            return operand;
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
            leaves.close();
        }
    }
}
