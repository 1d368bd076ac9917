package io.github.broadloom.device.cuda;

import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * One evaluation in one lane of a GPU: reductions, each with the pointwise expression below it, what is rearranged or joined, and what only the CPU can do,
 * from the bottom up; then what stands above them.
 */
final class CudaEvaluation implements AutoCloseable {
    private final Lane lane;
    private final CudaLeaves leaves;
    private final CudaPasses passes;

    /** @param shared tensors of this JVM that are on the device already, and where */
    CudaEvaluation(Gpu gpu, Map<Tensor, Tensor> shared) {
        this.lane = gpu.lane();
        this.leaves = new CudaLeaves(lane, shared);
        this.passes = new CudaPasses(lane, leaves);
    }

    /** A fresh contiguous tensor on the device, which every thread may use. */
    Tensor evaluate(Expr root) {
        Tensor result = leaves.fresh(root.dtype(), root.shape());
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

    /** Brings the value of the expression to a contiguous tensor of this JVM. */
    void download(Expr root, Tensor target) {
        leavesBelow(root);
        Tensor there = leaves.fresh(root.dtype(), root.shape());
        leaves.put(root, there);
        write(root, there);
        lane.download(
                there.deviceAddress(),
                target.address(),
                root.dtype().sizeBytes(root.shape().numel()));
        passes.finish();
    }

    private void leavesBelow(Expr root) {
        for (Expr node : root.postOrder()) {
            if (node != root && !isPointwise(node) && !leaves.has(node)) {
                leaf(node);
            }
        }
    }

    static boolean isPointwise(Expr node) {
        return node instanceof Apply || node instanceof Cast || node instanceof Literal || node instanceof Input;
    }

    /** Computes a node that no kernel can compute together with what stands above it. */
    private void leaf(Expr node) {
        if (node instanceof Rearrange rearrange) {
            moved(rearrange);
            return;
        }
        Tensor value = leaves.fresh(node.dtype(), node.shape());
        leaves.put(node, value);
        write(node, value);
    }

    private void write(Expr node, Tensor target) {
        if (node instanceof Reduce reduce) {
            if (target.isContiguous()) {
                passes.reduce(reduce, target);
            } else {
                passes.pointwise(stored(node), target);
            }
        } else if (node instanceof Concat concat) {
            joined(concat, target);
        } else if (isPointwise(node)) {
            passes.pointwise(node, target);
        } else if (node instanceof Rearrange rearrange) {
            moved(rearrange);
            passes.pointwise(node, target);
        } else {
            onCpu(node, target);
        }
    }

    /** The node as a leaf. */
    private Expr stored(Expr node) {
        leaf(node);
        return node;
    }

    /** Each part is computed into its place, and stored nowhere else. */
    private void joined(Concat concat, Tensor target) {
        long start = 0;
        for (Expr part : concat.children()) {
            long length = part.shape().size(concat.dim());
            passes.pointwise(part, target.narrow(concat.dim(), start, length));
            start += length;
        }
    }

    /** Moves are views of what is computed first, but for those that only a copy can have. */
    private void moved(Rearrange rearrange) {
        Tensor value = value(rearrange.operand());
        lane.synchronize(); // a copy may be made in another lane
        Tensor moved = rearrange.move().apply(value);
        if (moved.storage() == value.storage()) {
            leaves.putView(rearrange, moved);
        } else {
            leaves.put(rearrange, moved);
        }
    }

    private Tensor value(Expr node) {
        if (!leaves.has(node)) {
            Tensor computed = leaves.fresh(node.dtype(), node.shape());
            leaves.put(node, computed);
            passes.pointwise(node, computed);
        }
        return leaves.of(node);
    }

    /** There is no kernel: the operands go to this JVM, and the result comes back. */
    private void onCpu(Expr node, Tensor target) {
        List<Tensor> copies = new ArrayList<>();
        Map<Expr, Expr> known = new IdentityHashMap<>();
        List<Expr> operands = node.children().stream()
                .map(child -> known.computeIfAbsent(child, c -> onHost(c, copies)))
                .toList();
        Tensor computed = CudaBackend.cpu().evaluate(node.withChildren(operands));
        passes.finish();
        target.copy_(computed);
        computed.release();
        copies.forEach(Tensor::release);
    }

    /** The operand in this JVM: itself where it is here, else a copy. */
    private Expr onHost(Expr operand, List<Tensor> copies) {
        if (operand instanceof Input && operand.device().isCpu()) {
            return operand;
        }
        Tensor value = value(operand);
        passes.finish();
        Tensor copy = value.to(Device.CPU);
        copies.add(copy);
        return Input.of(copy);
    }

    @Override
    public void close() {
        try {
            lane.close();
        } finally {
            passes.close();
            leaves.close();
        }
    }
}
