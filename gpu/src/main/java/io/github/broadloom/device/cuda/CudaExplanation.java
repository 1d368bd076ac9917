package io.github.broadloom.device.cuda;

import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.codegen.cuda.CudaLaunch;
import io.github.broadloom.codegen.cuda.PointwiseLaunches;
import io.github.broadloom.codegen.cuda.ReductionLaunches;
import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How a GPU computes an expression, as text: a line for each pass, under it the CUDA C of its kernels if wanted. Asks no device. */
final class CudaExplanation {
    /** Fresh memory is aligned better. */
    private static final int ALIGNMENT = 16;

    private final Detail detail;
    private final StringBuilder out = new StringBuilder();

    CudaExplanation(Detail detail) {
        this.detail = detail;
    }

    /** The lines for a simplified expression. */
    String of(Expr root) {
        for (Expr node : root.postOrder()) {
            if (node instanceof Reduce reduce) {
                reduction(reduce);
            } else if (node instanceof Rearrange rearrange) {
                stored(rearrange.operand());
                line(rearrange.move() + " of " + type(rearrange.operand()) + ": a view where there is one");
            } else if (node instanceof Concat concat) {
                for (Expr part : concat.children()) {
                    pointwise("part of cat along " + concat.dim() + ", " + type(part), part);
                }
            } else if (!CudaEvaluation.isPointwise(node)) {
                node.children().forEach(this::stored);
                line(node + " of " + type(node) + ": no CUDA kernel, so on the CPU");
            }
        }
        if (CudaEvaluation.isPointwise(root)) {
            pointwise("pointwise " + type(root), root);
        }
        return out.toString();
    }

    private static String type(Expr node) {
        return node.dtype() + "" + node.shape();
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    /** What has to be computed before it is read more than once, or moved. */
    private void stored(Expr operand) {
        if (CudaEvaluation.isPointwise(operand) && !(operand instanceof Input || operand instanceof Literal)) {
            pointwise("pointwise " + type(operand), operand);
        }
    }

    private void pointwise(String what, Expr root) {
        PointwiseProgram program = PointwiseProgram.of(root);
        List<Layout> layouts = layouts(program);
        LoopNest nest = LoopNest.of(Layout.contiguous(root.shape()), layouts);
        launches(what, nest, program, PointwiseLaunches.of(program.spec(), nest, alignments(layouts.size() + 1)));
    }

    private void reduction(Reduce reduce) {
        Expr operand = reduce.operand();
        PointwiseProgram program = PointwiseProgram.of(operand);
        List<Layout> layouts = layouts(program);
        LoopNest nest = LoopNest.of(Layout.contiguous(operand.shape()), layouts);
        ReductionLaunches found = ReductionLaunches.of(program.spec(), reduce, layouts, alignments(layouts.size()));
        launches(reduce + " of " + type(operand), nest, program, found.launches());
    }

    private void launches(String what, LoopNest nest, PointwiseProgram program, List<CudaLaunch> launches) {
        if (launches.isEmpty()) {
            line(what + ": nothing to compute");
            return;
        }
        out.append(what).append(": loops ").append(nest);
        for (int i = 0; i < program.leaves().size(); i++) {
            out.append(i == 0 ? "; operands " : ", ")
                    .append(program.leaves().get(i).dtype())
                    .append(' ')
                    .append(nest.access(i));
        }
        for (CudaLaunch launch : launches) {
            out.append("; kernel ")
                    .append(launch.source().entry())
                    .append(", ")
                    .append(launch.blocks())
                    .append(" × ")
                    .append(launch.threads())
                    .append(" threads");
        }
        out.append('\n');
        if (detail == Detail.SOURCE) {
            launches.stream()
                    .map(CudaLaunch::source)
                    .distinct()
                    .forEach(source -> out.append(source.text().indent(4)));
        }
    }

    private static int[] alignments(int count) {
        int[] alignments = new int[count];
        Arrays.fill(alignments, ALIGNMENT);
        return alignments;
    }

    /** Where operands lie; what is no tensor yet will be contiguous. */
    private static List<Layout> layouts(PointwiseProgram program) {
        List<Layout> layouts = new ArrayList<>();
        for (Expr leaf : program.leaves()) {
            layouts.add(
                    leaf instanceof Input input && input.source() instanceof Tensor tensor
                            ? tensor.layout()
                            : Layout.contiguous(leaf.shape()));
        }
        return layouts;
    }
}
