package io.github.broadloom.cpu;

import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.plan.Pass;
import io.github.broadloom.kernels.plan.PassPlan;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

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

    /** For each reduction the nodes of a chunk of rows; those of one operand in one pass. */
    List<List<FoldNode>> partials(List<Reduce> chunk, long firstRow) {
        Map<Reduce, List<FoldNode>> nodes = new IdentityHashMap<>();
        for (List<Reduce> sharing : Reduce.byOperand(chunk).values()) {
            List<List<FoldNode>> found = nodes(sharing, firstRow);
            for (int i = 0; i < found.size(); i++) {
                nodes.put(sharing.get(i), found.get(i));
            }
        }
        return chunk.stream()
                .map(reduce -> nodes.getOrDefault(reduce, List.of()))
                .toList();
    }

    /** The nodes of reductions over the rows that share an operand. */
    List<List<FoldNode>> nodes(List<Reduce> sharing, long firstRow) {
        PassPlan plan = PassPlan.of(sharing, PassPlan.Rules.CPU, buffers::has);
        plan.below().forEach(this::run);
        Pass.Reduction last = (Pass.Reduction) plan.last();
        return last.blocks().isPresent()
                ? new BlockedReduction(last, kernels, buffers).nodes(firstRow, threads)
                : new ReductionPass(last.operand(), buffers, kernels).nodes(sharing, firstRow);
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
