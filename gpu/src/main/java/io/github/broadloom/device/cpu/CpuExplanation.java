package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.JavaRenderer;
import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Tensor;
import java.util.List;

/** How the CPU computes an expression, as text: a line for each pass. */
final class CpuExplanation {
    private final KernelCache<?> kernels;
    private final Detail detail;
    private final StringBuilder out = new StringBuilder();

    CpuExplanation(KernelCache<?> kernels, Detail detail) {
        this.kernels = kernels;
        this.detail = detail;
    }

    /** The lines for a simplified expression. */
    String of(Expr root) {
        for (Expr node : root.postOrder()) {
            if (node instanceof Along along) {
                lines(along);
            }
            if (node instanceof Reduce reduce) {
                Expr operand = reduce.operand();
                pass(reduce + " of " + operand.dtype() + operand.shape(), operand);
            }
        }
        if (!(root instanceof Reduce) && !(root instanceof Along)) {
            pass("pointwise " + root.dtype() + root.shape(), root);
        }
        return out.toString();
    }

    private void lines(Along along) {
        Expr operand = along.operand();
        String what = along + " of " + operand.dtype() + operand.shape() + ", line by line";
        if (operand instanceof Input) {
            out.append(what).append(": no kernel\n");
        } else {
            pass(what, operand);
        }
    }

    private void pass(String what, Expr root) {
        PointwiseProgram program = PointwiseProgram.of(root);
        KernelSpec spec = program.spec();
        List<Layout> layouts =
                program.leaves().stream().map(CpuExplanation::layout).toList();
        LoopNest nest = LoopNest.of(Layout.contiguous(root.shape()), layouts);
        out.append(what).append(": loops ").append(nest);
        for (int i = 0; i < layouts.size(); i++) {
            out.append(i == 0 ? "; operands " : ", ")
                    .append(spec.operands().get(i).dtype())
                    .append(' ')
                    .append(nest.access(i));
        }
        out.append("; ").append(spec.isCopy() ? "no kernel" : kernel(spec)).append('\n');
        if (detail == Detail.SOURCE && !spec.isCopy()) {
            out.append(JavaRenderer.render(spec).indent(4));
        }
    }

    private String kernel(KernelSpec spec) {
        String state = kernels.compileTime(spec)
                .map(time -> "compiled in " + KernelCache.inMillis(time))
                .orElse("compiled when first run");
        return "1 kernel of " + spec.steps().size() + " steps, " + state;
    }

    /** Where an operand lies; what is no local tensor yet will be contiguous. */
    private static Layout layout(Expr leaf) {
        return leaf instanceof Input input && input.source() instanceof Tensor tensor
                ? tensor.layout()
                : Layout.contiguous(leaf.shape());
    }
}
