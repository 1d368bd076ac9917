package io.github.broadloom.cpu;

import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.plan.Pass;
import io.github.broadloom.kernels.plan.PassPlan;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.RowNodes;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** One evaluation: the passes of a plan, one after the other. What they leave is released at the end. */
final class Evaluation implements AutoCloseable {
    private final Kernels kernels;
    private final int threads;
    private final Buffers buffers;
    private final Lowering lowering;
    private final long arraysBefore = MemoryMeter.arrayBytes();

    Evaluation(Kernels kernels, int threads) {
        this(kernels, threads, new Buffers());
    }

    /** @param buffers which this closes */
    Evaluation(Kernels kernels, int threads, Buffers buffers) {
        this.kernels = kernels;
        this.threads = threads;
        this.buffers = buffers;
        this.lowering = new Lowering(kernels, buffers);
    }

    Tensor evaluate(Expr root) {
        plan(root).passes().forEach(this::run);
        return buffers.take(root);
    }

    List<Tensor> values(PassPlan plan) {
        plan.passes().forEach(this::run);
        return plan.last().results().stream().map(buffers::of).toList();
    }

    /**
     * Folds a chunk of rows; reductions of operands of one shape in one pass.
     *
     * @param nodes of each reduction, those of all rows before; then those of the chunk, too
     */
    void partials(List<Reduce> chunk, long firstRow, List<? extends RowNodes> nodes) {
        Map<Reduce, RowNodes> own = new IdentityHashMap<>();
        for (int i = 0; i < chunk.size(); i++) {
            own.putIfAbsent(chunk.get(i), nodes.get(i));
        }
        Map<ReductionPass.Loops, List<ReductionPass>> together = new LinkedHashMap<>();
        for (List<Reduce> sharing : Reduce.byOperand(chunk).values()) {
            PassPlan plan = PassPlan.of(sharing, PassPlan.Rules.CPU, buffers::has);
            plan.below().forEach(this::run);
            Pass.Reduction last = (Pass.Reduction) plan.last();
            if (last.blocks().isPresent()) {
                new BlockedReduction(last, kernels, buffers).fold(firstRow, own, threads);
            } else {
                ReductionPass pass = new ReductionPass(sharing, buffers, kernels);
                together.computeIfAbsent(pass.loops(), loops -> new ArrayList<>())
                        .add(pass);
            }
        }
        together.values().forEach(passes -> ReductionPass.fold(passes, firstRow, own));
        for (int i = 0; i < chunk.size(); i++) {
            RowNodes first = Objects.requireNonNull(own.get(chunk.get(i)));
            if (nodes.get(i) != first) {
                copy(first, nodes.get(i)); // of the same reduction
            }
        }
    }

    private static void copy(RowNodes from, RowNodes to) {
        to.takeNodes();
        for (FoldNode node : from.takeNodes()) {
            to.push(node.copy());
            from.push(node);
        }
    }

    List<FoldNode> partials(Along chunk, long firstRow) {
        PassPlan.of(chunk, new PassPlan.Rules(along -> along == chunk, true), buffers::has)
                .below()
                .forEach(this::run);
        return ScanPass.nodes(chunk, firstRow, PointwisePass.of(chunk.operand(), buffers, kernels));
    }

    Tensor scan(Along chunk, ScanCarry before) {
        plan(chunk).below().forEach(this::run);
        return lowering.scan(chunk, before).run(threads).get(0);
    }

    /** Writes the value of the expression through the target's strides. */
    void evaluateInto(Expr root, Tensor target) {
        PassPlan plan = plan(root);
        plan.below().forEach(this::run);
        boolean isWritten = plan.last() instanceof Pass.Map
                || root instanceof Concat concat && Lowering.canWriteParts(concat, target);
        if (!isWritten) {
            run(plan.last());
        }
        lowering.into(root, target).run(threads);
    }

    private PassPlan plan(Expr root) {
        return PassPlan.of(root, PassPlan.Rules.CPU, buffers::has);
    }

    private void run(Pass pass) {
        if (pass instanceof Pass.Release end) {
            buffers.release(end.node());
            return;
        }
        Executable executable = lowering.of(pass);
        List<Tensor> values = executable.run(threads);
        for (int i = 0; i < values.size(); i++) {
            if (executable.view().isPresent()) {
                buffers.putView(pass.results().get(i), values.get(i));
            } else {
                buffers.put(pass.results().get(i), values.get(i));
            }
        }
    }

    /** How the expression would be evaluated, a line for each pass; of the tensors of a dry run. */
    String describe(Expr root, Detail detail) {
        return describe(plan(root), detail);
    }

    String describe(PassPlan plan, Detail detail) {
        StringBuilder out = new StringBuilder();
        for (Pass pass : plan.passes()) {
            if (!(pass instanceof Pass.Release)) {
                Executable executable = lowering.of(pass);
                String how = executable.how().apply(detail);
                out.append(pass.title()).append(": ").append(how).append('\n');
                for (Expr result : pass.results()) {
                    buffers.putView(result, executable.view().orElseGet(() -> buffers.fresh(result)));
                }
            }
        }
        return out.toString();
    }

    @Override
    public void close() {
        MemoryMeter.dropArrays(arraysBefore);
        buffers.close();
    }
}
