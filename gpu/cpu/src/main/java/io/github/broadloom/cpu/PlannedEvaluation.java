package io.github.broadloom.cpu;

import io.github.broadloom.device.PreparedEvaluation;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.HeldInputs;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.kernels.plan.Pass;
import io.github.broadloom.kernels.plan.PassPlan;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The passes of a plan, each prepared to run again and again, on one thread. Their results stay where they are from run to run. */
final class PlannedEvaluation implements PreparedEvaluation {
    private final Kernels kernels;
    private final Buffers buffers = new Buffers();
    private final Lowering lowering;
    private final List<Runnable> steps = new ArrayList<>();
    private final Hold held;

    private PlannedEvaluation(Kernels kernels, Hold held) {
        this.kernels = kernels;
        this.lowering = new Lowering(kernels, buffers);
        this.held = held;
    }

    /** The evaluation of a simplified expression into a tensor; empty where a part of it has to be planned for each run. */
    static Optional<PlannedEvaluation> of(Expr root, Tensor target, Kernels kernels) {
        PlannedEvaluation planned = new PlannedEvaluation(kernels, HeldInputs.current(List.of(root), target));
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
        PassPlan plan = PassPlan.of(root, PassPlan.Rules.CPU, buffers::has);
        for (Pass pass : plan.passes()) {
            if (pass == plan.last() && pass instanceof Pass.Reduction last && target.isContiguous()) {
                return last.blocks().isEmpty() && reduce(List.of(last), reduction -> target);
            }
            boolean isPlanned = buffers.has(pass.results().get(0))
                    || pass == plan.last() && pass instanceof Pass.Map
                    || pass instanceof Pass.Map map && steps.add(pointwise(map.node(), kept(map.node())))
                    || pass instanceof Pass.Reduction reduction && reduce(together(reduction, plan), this::kept)
                    || pass instanceof Pass.View rearranged && view(rearranged);
            if (!isPlanned) {
                return false;
            }
        }
        return steps.add(pointwise(root, target));
    }

    private Runnable pointwise(Expr root, Tensor target) {
        return lowering.into(root, target).repeated().get();
    }

    /** Reductions with all others of operands of their shape that can be computed by now. */
    private List<Pass.Reduction> together(Pass.Reduction reduction, PassPlan plan) {
        List<Pass.Reduction> together = new ArrayList<>();
        for (Pass pass : plan.passes()) {
            boolean fits = pass instanceof Pass.Reduction other
                    && (pass == reduction || pass != plan.last())
                    && !buffers.has(other.results().get(0))
                    && other.operand().shape().equals(reduction.operand().shape())
                    && PointwiseProgram.of(other.operand()).leaves().stream().allMatch(buffers::has);
            if (fits) {
                together.add((Pass.Reduction) pass);
            }
        }
        return together;
    }

    /** @param results the tensor that takes the value of a reduction */
    private boolean reduce(List<Pass.Reduction> passes, Function<Reduce, Tensor> results) {
        List<ReductionPass.Planned> planned = new ArrayList<>();
        for (Pass.Reduction pass : passes) {
            if (pass.blocks().isEmpty()) {
                List<Tensor> targets = pass.results().stream().map(results).toList();
                new ReductionPass(pass.results(), buffers, kernels)
                        .planned(targets)
                        .ifPresent(planned::add);
            }
        }
        if (planned.size() < passes.size()) {
            return false;
        }
        steps.add(ReductionPass.Planned.together(planned));
        return true;
    }

    /** The tensor that has the value of a node after each run. */
    private Tensor kept(Expr node) {
        Tensor result = buffers.fresh(node);
        buffers.putView(node, result);
        return result;
    }

    /** What is rearranged is a view of what is computed before. */
    private boolean view(Pass.View rearranged) {
        lowering.of(rearranged).view().ifPresent(view -> buffers.putView(rearranged.node(), view));
        return buffers.has(rearranged.node());
    }

    @Override
    public void run() {
        steps.forEach(Runnable::run);
    }

    @Override
    public void close() {
        steps.clear();
        buffers.close();
        held.close();
    }
}
