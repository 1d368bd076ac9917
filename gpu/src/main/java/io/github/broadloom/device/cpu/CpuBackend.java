package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.JavaRenderer;
import io.github.broadloom.codegen.KernelCompiler;
import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.codegen.TileKernel;
import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Device;
import io.github.broadloom.device.FoldNode;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.device.RowFold;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Simplifier;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Tensor;
import java.util.List;

/** Evaluates expressions on the processor, with kernels that are rendered as Java and compiled in memory. */
public final class CpuBackend implements Backend {
    private static final int CACHED_KERNELS = 512;

    private final KernelCache<TileKernel> kernels = new KernelCache<>(CACHED_KERNELS, KernelCompiler::pointwise);

    @Override
    public Device device() {
        return Device.CPU;
    }

    @Override
    public Tensor evaluate(Expr expr, int threads) {
        expr.inputs().forEach(Input::requireUnchanged);
        if (expr instanceof Input input && input.source() instanceof Tensor tensor) {
            return tensor.copy();
        }
        try (Evaluation evaluation = new Evaluation(kernels, threads)) {
            return evaluation.evaluate(Simplifier.simplify(expr));
        }
    }

    @Override
    public void evaluateInto(Expr expr, Tensor target, int threads) {
        expr.inputs().forEach(Input::requireUnchanged);
        try (Evaluation evaluation = new Evaluation(kernels, threads)) {
            evaluation.evaluateInto(Simplifier.simplify(expr), target);
        }
    }

    @Override
    public List<FoldNode> partials(Reduce chunk, long firstRow) {
        if (!RowFold.foldsRows(chunk)) {
            throw new IllegalArgumentException(
                    "Cannot take partial results: " + chunk + " keeps dimension 0; evaluate it");
        }
        try (Evaluation evaluation = new Evaluation(kernels, 1)) {
            return evaluation.partials((Reduce) Simplifier.simplify(chunk), firstRow);
        }
    }

    /** What the kernel cache has done. */
    public KernelCache.Stats kernelStats() {
        return kernels.stats();
    }

    @Override
    public String explain(Expr expr, Detail detail) {
        StringBuilder out = new StringBuilder();
        Expr simple = Simplifier.simplify(expr);
        for (Expr node : simple.postOrder()) {
            if (node instanceof Along along) {
                Expr operand = along.operand();
                String lines = along + " of " + operand.dtype() + operand.shape() + ", line by line";
                if (operand instanceof Input) {
                    out.append(lines).append(": no kernel\n");
                } else {
                    pass(out, lines, operand, detail);
                }
            }
            if (node instanceof Reduce reduce) {
                pass(
                        out,
                        reduce + " of " + reduce.operand().dtype()
                                + reduce.operand().shape(),
                        reduce.operand(),
                        detail);
            }
        }
        if (!(simple instanceof Reduce) && !(simple instanceof Along)) {
            pass(out, "pointwise " + simple.dtype() + simple.shape(), simple, detail);
        }
        return out.toString();
    }

    private static void pass(StringBuilder out, String what, Expr root, Detail detail) {
        PointwiseProgram program = PointwiseProgram.of(root);
        KernelSpec spec = program.spec();
        List<Layout> layouts = program.leaves().stream().map(CpuBackend::layout).toList();
        LoopNest nest = LoopNest.of(Layout.contiguous(root.shape()), layouts);
        out.append(what).append(": loops ").append(nest);
        for (int i = 0; i < layouts.size(); i++) {
            out.append(i == 0 ? "; operands " : ", ")
                    .append(spec.operands().get(i).dtype())
                    .append(' ')
                    .append(nest.access(i));
        }
        out.append(
                spec.isCopy()
                        ? "; no kernel\n"
                        : "; 1 kernel of " + spec.steps().size() + " steps\n");
        if (detail == Detail.SOURCE && !spec.isCopy()) {
            out.append(JavaRenderer.render(spec).indent(4));
        }
    }

    /** Where an operand lies; what is no local tensor yet will be contiguous. */
    private static Layout layout(Expr leaf) {
        return leaf instanceof Input input && input.source() instanceof Tensor tensor
                ? tensor.layout()
                : Layout.contiguous(leaf.shape());
    }
}
