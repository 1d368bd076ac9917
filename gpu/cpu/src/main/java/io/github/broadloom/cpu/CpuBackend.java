package io.github.broadloom.cpu;

import io.github.broadloom.cpu.products.NativeGemm;
import io.github.broadloom.cpu.products.PackedGemm;
import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.device.Backend;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.device.PackedProducts;
import io.github.broadloom.device.PreparedEvaluation;
import io.github.broadloom.device.Speeds;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.HeldInputs;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.rewrite.Simplifier;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.RowNodes;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Evaluates expressions on the processor, with kernels that are rendered as Java and compiled in memory. */
public final class CpuBackend implements Backend {
    private final Kernels kernels = new Kernels();

    @Override
    public Device device() {
        return Device.CPU;
    }

    @Override
    public Tensor evaluate(Expr expr, int threads) {
        try (Hold held = HeldInputs.unchanged(expr);
                Evaluation evaluation = new Evaluation(kernels, threads)) {
            return expr instanceof Input input && input.source() instanceof Tensor tensor
                    ? tensor.copy()
                    : evaluation.evaluate(Simplifier.simplify(expr));
        }
    }

    @Override
    public void evaluateInto(Expr expr, Tensor target, int threads) {
        target.storage().requireWritable();
        try (Hold held = HeldInputs.unchanged(expr, target);
                Evaluation evaluation = new Evaluation(kernels, threads)) {
            evaluation.evaluateInto(Simplifier.simplify(expr), target);
        }
    }

    @Override
    public PreparedEvaluation prepared(Expr expr, Tensor target) {
        target.storage().requireWritable();
        Expr simplified = Simplifier.simplify(expr);
        Optional<PlannedEvaluation> planned = PlannedEvaluation.of(simplified, target, kernels);
        return planned.isPresent() ? planned.get() : () -> evaluateInto(simplified, target);
    }

    @Override
    public Optional<PackedProducts> packedProducts() {
        return Optional.of(NativeGemm.found().orElseGet(PackedGemm::new));
    }

    private void evaluateInto(Expr simplified, Tensor target) {
        try (Hold held = HeldInputs.current(List.of(simplified), target);
                Evaluation evaluation = new Evaluation(kernels, 1)) {
            evaluation.evaluateInto(simplified, target);
        }
    }

    @Override
    public List<List<FoldNode>> partials(List<Reduce> chunk, long firstRow) {
        List<Reduce> simplified = RowFold.simplified(chunk);
        List<RowFold> nodes = simplified.stream()
                .map(reduce -> RowFold.ofChunk(reduce, firstRow))
                .toList();
        fold(simplified, firstRow, nodes);
        return nodes.stream().map(RowFold::takeNodes).toList();
    }

    @Override
    public void partials(List<Reduce> chunk, long firstRow, List<? extends RowNodes> nodes) {
        fold(RowFold.simplified(chunk), firstRow, nodes);
    }

    private void fold(List<Reduce> simplified, long firstRow, List<? extends RowNodes> nodes) {
        held(simplified, evaluation -> {
            evaluation.partials(simplified, firstRow, nodes);
            return nodes;
        });
    }

    @Override
    public List<FoldNode> partials(Along chunk, long firstRow) {
        return held(List.of(chunk), evaluation -> evaluation.partials(RowFold.simplified(chunk), firstRow));
    }

    @Override
    public Tensor scan(Along chunk, ScanCarry before) {
        return held(List.of(chunk), evaluation -> evaluation.scan(RowFold.simplified(chunk), before));
    }

    private <T> T held(List<? extends Expr> chunk, Function<Evaluation, T> work) {
        try (Hold held = HeldInputs.current(chunk);
                Evaluation evaluation = new Evaluation(kernels, 1)) {
            return work.apply(evaluation);
        }
    }

    @Override
    public Speeds speeds() {
        return CpuSpeeds.measured();
    }

    @Override
    public KernelCache.Stats kernelStats() {
        return kernels.stats();
    }

    @Override
    public String explain(Expr expr, Detail detail) {
        try (Evaluation dryRun = new Evaluation(kernels, 1, Buffers.dryRun())) {
            return dryRun.describe(Simplifier.simplify(expr), detail);
        }
    }
}
