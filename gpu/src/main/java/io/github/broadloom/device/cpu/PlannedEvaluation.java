package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.device.InnerReductions;
import io.github.broadloom.device.PreparedEvaluation;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Inputs;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * An {@link Evaluation} whose every step is planned: the reductions from the bottom up, then what stands above them, on one thread. The results of
 * the inner ones stay where they are from run to run.
 */
final class PlannedEvaluation implements PreparedEvaluation {
    private final Kernels kernels;
    private final Leaves leaves = new Leaves();
    private final List<Runnable> steps = new ArrayList<>();
    private final Hold held;

    private PlannedEvaluation(Kernels kernels, Hold held) {
        this.kernels = kernels;
        this.held = held;
    }

    /** The evaluation of a simplified expression into a tensor; empty where a part of it has to be planned for each run. */
    static Optional<PlannedEvaluation> of(Expr root, Tensor target, Kernels kernels) {
        PlannedEvaluation planned = new PlannedEvaluation(kernels, Inputs.current(List.of(root), target));
        boolean isPlanned = false;
        try {
            isPlanned = planned.plan(root, target);
            return isPlanned ? Optional.of(planned) : Optional.empty();
        } finally {
            if (!isPlanned) {
                planned.close();
            }
        }
    }

    private boolean plan(Expr root, Tensor target) {
        List<Expr> order = root.postOrder();
        boolean isPlain = order.stream()
                .noneMatch(node -> node instanceof Along || node instanceof Concat || node instanceof Contraction);
        if (!isPlain || !InnerReductions.inStrips(order, leaves::has).isEmpty()) {
            return false;
        }
        List<Reduce> inside = new ArrayList<>();
        for (Expr node : order) {
            if (node != root && node instanceof Reduce reduce) {
                inside.add(reduce);
            }
        }
        Collection<List<Reduce>> groups = Reduce.byOperand(inside).values();
        for (Expr node : order) {
            if (node == root && node instanceof Reduce reduce && target.isContiguous()) {
                return reduce(List.of(List.of(reduce)), reduction -> target);
            }
            boolean isPlanned = leaves.has(node)
                    || (node instanceof Reduce reduce
                            ? reduce(together(reduce, groups), this::kept)
                            : !(node instanceof Rearrange rearrange) || move(rearrange));
            if (!isPlanned) {
                return false;
            }
        }
        steps.add(new PointwisePass(root, leaves, kernels).repeated(target));
        return true;
    }

    /** A reduction with all others of operands of its shape that can be computed by now. */
    private List<List<Reduce>> together(Reduce reduce, Collection<List<Reduce>> groups) {
        List<List<Reduce>> together = new ArrayList<>();
        for (List<Reduce> group : groups) {
            Expr operand = group.get(0).operand();
            boolean fits = !leaves.has(group.get(0))
                    && operand.shape().equals(reduce.operand().shape())
                    && PointwiseProgram.of(operand).leaves().stream().allMatch(leaves::has);
            if (fits) {
                together.add(group);
            }
        }
        return together.isEmpty() ? List.of(List.of(reduce)) : together;
    }

    /** @param results the tensor that takes the value of a reduction */
    private boolean reduce(List<List<Reduce>> groups, Function<Reduce, Tensor> results) {
        List<PlannedReduction> planned = new ArrayList<>();
        for (List<Reduce> sharing : groups) {
            ReductionPass pass = new ReductionPass(sharing.get(0), leaves, kernels);
            pass.planned(sharing, sharing.stream().map(results).toList()).ifPresent(planned::add);
        }
        if (planned.size() < groups.size()) {
            return false;
        }
        steps.add(PlannedReduction.together(planned));
        return true;
    }

    /** The tensor that has the value of a node after each run. */
    private Tensor kept(Expr node) {
        Tensor result = Tensors.empty(node.dtype(), node.shape());
        leaves.put(node, result);
        return result;
    }

    /** Moves are views of what is computed before. */
    private boolean move(Rearrange rearrange) {
        Expr operand = rearrange.operand();
        if (!leaves.has(operand)) {
            PointwisePass pass = new PointwisePass(operand, leaves, kernels);
            steps.add(pass.repeated(kept(operand)));
        }
        Tensor value = leaves.of(operand);
        Tensor moved = rearrange.move().apply(value);
        if (moved.storage() != value.storage()) {
            moved.release();
            return false;
        }
        leaves.putView(rearrange, moved);
        return true;
    }

    @Override
    public void run() {
        steps.forEach(Runnable::run);
    }

    @Override
    public void close() {
        steps.clear();
        leaves.close();
        held.close();
    }
}
