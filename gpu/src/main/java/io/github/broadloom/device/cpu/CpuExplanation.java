package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.DirectKernel.Reach;
import io.github.broadloom.codegen.DirectKernelRenderer;
import io.github.broadloom.codegen.JavaRenderer;
import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.device.InnerReductions;
import io.github.broadloom.device.KernelCache;
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
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** How the CPU computes an expression, as text: a line for each pass. */
final class CpuExplanation {
    private final Kernels kernels;
    private final Detail detail;
    private final StringBuilder out = new StringBuilder();

    CpuExplanation(Kernels kernels, Detail detail) {
        this.kernels = kernels;
        this.detail = detail;
    }

    /** The lines for a simplified expression. */
    String of(Expr root) {
        List<Expr> order = root.postOrder();
        Map<Expr, InnerReductions> inStrips = InnerReductions.inStrips(order, Input.class::isInstance);
        for (Expr node : order) {
            if (node instanceof Along along) {
                lines(along);
            }
            if (node instanceof Rearrange rearrange) {
                moved(rearrange);
            }
            if (node instanceof Concat concat) {
                joined(concat);
            }
            if (node instanceof Contraction contraction) {
                contracted(contraction);
            }
            if (node instanceof Reduce reduce) {
                Expr operand = reduce.operand();
                InnerReductions inner = inStrips.get(operand);
                String strips = inner == null ? "" : ", " + inner.stripRows() + " rows of it at a time";
                pass(reduce + " of " + operand.dtype() + operand.shape() + strips, operand, false);
            }
        }
        if (isPointwise(root) || root instanceof Input || root instanceof Literal) {
            pass("pointwise " + root.dtype() + root.shape(), root, true);
        }
        return out.toString();
    }

    private void lines(Along along) {
        Expr operand = along.operand();
        String what = along + " of " + operand.dtype() + operand.shape() + ", line by line";
        if (operand instanceof Input) {
            out.append(what).append(": no kernel\n");
        } else {
            pass(what, operand, true);
        }
    }

    private static boolean isPointwise(Expr node) {
        return node instanceof Apply || node instanceof Cast;
    }

    private void contracted(Contraction contraction) {
        for (Expr operand : contraction.children()) {
            if (isPointwise(operand)) {
                pass("operand " + operand.dtype() + operand.shape(), operand, true);
            }
        }
        out.append(contraction)
                .append(" of ")
                .append(contraction.left().shape())
                .append(" and ")
                .append(contraction.right().shape())
                .append(": products of matrices, ")
                .append(contraction.contractedCount())
                .append(" terms each; no kernel\n");
    }

    private void moved(Rearrange rearrange) {
        Expr operand = rearrange.operand();
        if (isPointwise(operand)) {
            pass("pointwise " + operand.dtype() + operand.shape(), operand, true);
        }
        out.append(rearrange.move())
                .append(" of ")
                .append(operand.dtype())
                .append(operand.shape())
                .append(rearrange.move() instanceof Move.Flip ? ": a copy\n" : ": a view where there is one\n");
    }

    private void joined(Concat concat) {
        for (Expr part : concat.children()) {
            pass("part of cat along " + concat.dim() + ", " + part.dtype() + part.shape(), part, true);
        }
    }

    private void pass(String what, Expr root, boolean isStored) {
        if (root.shape().numel() == 0) {
            out.append(what).append(": nothing to compute\n");
            return;
        }
        PointwiseProgram program = PointwiseProgram.of(root);
        KernelSpec spec = program.spec();
        Layout result = Layout.contiguous(root.shape());
        List<Layout> layouts = new ArrayList<>();
        program.leaves().forEach(leaf -> layouts.add(layout(leaf)));
        LoopNest nest = LoopNest.of(result, layouts);
        out.append(what).append(": loops ").append(nest);
        for (int i = 0; i < layouts.size(); i++) {
            out.append(i == 0 ? "; operands " : ", ")
                    .append(spec.operands().get(i).dtype())
                    .append(' ')
                    .append(nest.access(i));
        }
        out.append("; ");
        if (spec.isCopy()) {
            out.append("no kernel\n");
            return;
        }
        if (!isStored) {
            Tiling tiling = new Tiling(nest, PointwisePass.widestBytes(spec), Tiling.Cut.ALIGNED);
            tiles(PointwisePass.tiled(spec, tiling));
            return;
        }
        layouts.add(result);
        LoopNest withResult = LoopNest.of(result, layouts);
        Optional<DirectNest> blocks =
                BlockNest.ofLarge(spec, withResult).map(found -> found.forms().get(0));
        Reach reach = DirectNest.reach(spec, withResult);
        DirectNest.ofLarge(spec, withResult)
                .or(() -> blocks)
                .ifPresentOrElse(rows -> direct(rows.over(spec), reach), () -> {
                    Tiling tiling = new Tiling(withResult, PointwisePass.widestBytes(spec), Tiling.Cut.EVEN);
                    tiles(PointwisePass.tiled(spec, tiling));
                });
    }

    private void tiles(KernelSpec spec) {
        out.append(kernel(spec, kernels.pointwise())).append('\n');
        source(() -> JavaRenderer.render(spec));
    }

    private void direct(KernelSpec spec, Reach reach) {
        out.append(kernel(spec, kernels.direct(reach)))
                .append(
                        reach == Reach.IN_PLACE
                                ? ", reads and writes in place\n"
                                : ", reads and writes by short pieces\n");
        source(() -> DirectKernelRenderer.render(spec, reach));
    }

    private void source(Supplier<String> source) {
        if (detail == Detail.SOURCE) {
            out.append(source.get().indent(4));
        }
    }

    private static String kernel(KernelSpec spec, KernelCache<?> kernels) {
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
