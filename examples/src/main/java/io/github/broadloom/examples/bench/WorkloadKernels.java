package io.github.broadloom.examples.bench;

import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.codegen.cuda.CudaLaunch;
import io.github.broadloom.codegen.cuda.CudaSource;
import io.github.broadloom.codegen.cuda.PointwiseLaunches;
import io.github.broadloom.codegen.cuda.ReductionLaunches;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ExprParser;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Simplifier;
import io.github.broadloom.shape.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The CUDA kernels of a workload whose operands are on a GPU. To write them takes neither the GPU nor the operands. */
public final class WorkloadKernels {
    private static final int ALIGNED = 256;

    private WorkloadKernels() {}

    /** The kernels, each once, in the order in which they run first. */
    public static List<CudaSource> of(Workload workload) {
        Map<String, Expr> names = new LinkedHashMap<>();
        for (Workload.Operand operand : workload.operands()) {
            Layout stored = Layout.contiguous(operand.shape());
            Layout seen = operand.transposed() ? stored.t() : stored;
            names.put(operand.name(), Input.of(seen, operand.dtype(), seen.shape()));
        }
        Expr root = Simplifier.simplify(ExprParser.parse(workload.text(), names));
        List<CudaLaunch> launches = new ArrayList<>();
        for (Expr node : root.postOrder()) {
            if (node instanceof Reduce reduce) {
                launches.addAll(reduction(reduce));
            }
        }
        if (root instanceof Apply || root instanceof Cast) {
            launches.addAll(pointwise(root));
        }
        return launches.stream().map(CudaLaunch::source).distinct().toList();
    }

    private static List<CudaLaunch> pointwise(Expr root) {
        PointwiseProgram program = PointwiseProgram.of(root);
        LoopNest nest = LoopNest.of(Layout.contiguous(root.shape()), layouts(program));
        return PointwiseLaunches.of(
                program.spec(), nest, alignments(program.leaves().size() + 1));
    }

    private static List<CudaLaunch> reduction(Reduce reduce) {
        PointwiseProgram program = PointwiseProgram.of(reduce.operand());
        int[] alignments = alignments(program.leaves().size());
        return ReductionLaunches.of(program.spec(), reduce, layouts(program), alignments)
                .launches();
    }

    /** Where operands lie; what is computed before lies contiguous. */
    private static List<Layout> layouts(PointwiseProgram program) {
        return program.leaves().stream()
                .map(leaf -> leaf instanceof Input input ? (Layout) input.source() : Layout.contiguous(leaf.shape()))
                .toList();
    }

    private static int[] alignments(int count) {
        int[] alignments = new int[count];
        Arrays.fill(alignments, ALIGNED);
        return alignments;
    }
}
