package io.github.broadloom.cuda;

import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.cuda.compiler.Cubins;
import io.github.broadloom.cuda.driver.DeviceWork;
import io.github.broadloom.cuda.driver.Gpu;
import io.github.broadloom.cuda.driver.GpuSpeeds;
import io.github.broadloom.cuda.driver.MissingKernels;
import io.github.broadloom.device.Backend;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.device.LeastProducts;
import io.github.broadloom.device.Speeds;
import io.github.broadloom.device.StorageCopies;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.HeldInputs;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.rewrite.Simplifier;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Evaluates expressions on one GPU. The result is where the operands are: of tensors on the device it stays there, of tensors of this JVM it comes
 * back, piece by piece. What has no CUDA kernel is computed by the CPU, and {@link #explain} says so; so is an expression of which a kernel {@linkplain MissingKernels is not to be had}.
 */
final class CudaBackend implements Backend {
    private final Gpu gpu;
    private final GpuSpeeds speeds;

    CudaBackend(Gpu gpu) {
        this.gpu = gpu;
        this.speeds = new GpuSpeeds(gpu);
    }

    @Override
    public Device device() {
        return gpu.device();
    }

    @Override
    public Tensor evaluate(Expr expr, int threads) {
        return MissingKernels.orElse(
                () -> there(expr, threads),
                () -> onCpu(copies -> {
                    Tensor computed = DeviceWork.cpu().evaluate(here(expr, copies), threads);
                    return expr.device().isCpu() ? computed : moved(computed);
                }));
    }

    private Tensor there(Expr expr, int threads) {
        try (Hold held = HeldInputs.unchanged(expr)) {
            Expr simplified = Simplifier.simplify(expr);
            return expr.device().isCpu() ? new HostEvaluation(gpu, threads).evaluate(simplified) : there(simplified);
        }
    }

    private Tensor there(Expr simplified) {
        try (CudaEvaluation evaluation = new CudaEvaluation(gpu, Map.of())) {
            return evaluation.evaluate(simplified);
        }
    }

    private Tensor moved(Tensor computed) {
        try {
            return computed.to(device());
        } finally {
            computed.release();
        }
    }

    @Override
    public void evaluateInto(Expr expr, Tensor target, int threads) {
        if (target.device().isCpu()) {
            Tensor computed = evaluate(expr, threads);
            try {
                target.copy_(computed);
            } finally {
                computed.release();
            }
            return;
        }
        MissingKernels.orElse(
                () -> thereInto(expr, target),
                () -> onCpu(copies -> {
                    DeviceWork.cpu().evaluateInto(here(expr, copies), copies.there(target), threads);
                    copies.bringBack(target);
                    return target;
                }));
    }

    private Tensor thereInto(Expr expr, Tensor target) {
        try (Hold held = HeldInputs.unchanged(expr, target);
                CudaEvaluation evaluation = new CudaEvaluation(gpu, Map.of())) {
            evaluation.evaluateInto(Simplifier.simplify(expr), target);
            return target;
        }
    }

    @Override
    public Optional<LeastProducts> leastProducts() {
        return Optional.of(new CudaLeastProducts(gpu, CudaLeastProducts.Limits.USUAL));
    }

    @Override
    public List<List<FoldNode>> partials(List<Reduce> chunk, long firstRow) {
        return MissingKernels.orElse(
                () -> {
                    try (Hold held = HeldInputs.current(chunk)) {
                        return new ChunkPartials(gpu).of(RowFold.simplified(chunk), firstRow);
                    }
                },
                () -> onCpu(copies -> DeviceWork.cpu()
                        .partials(
                                chunk.stream()
                                        .map(reduce -> (Reduce) here(reduce, copies))
                                        .toList(),
                                firstRow)));
    }

    /** What the CPU makes of tensors of the device, of which it has copies. */
    private static <T> T onCpu(Function<StorageCopies, T> work) {
        StorageCopies copies = new StorageCopies(Device.CPU);
        try {
            return work.apply(copies);
        } finally {
            copies.release();
        }
    }

    private static Expr here(Expr expr, StorageCopies copies) {
        return expr.mapInputs(
                input -> input.source() instanceof Tensor tensor ? Input.of(copies.there(tensor)) : input);
    }

    @Override
    public List<FoldNode> partials(Along chunk, long firstRow) {
        Along scan = RowFold.simplified(chunk);
        return scan.total()
                .map(total -> partials(total, firstRow))
                .orElseGet(() -> DeviceWork.cpu().partials(scan, firstRow));
    }

    @Override
    public Tensor scan(Along chunk, ScanCarry before) {
        return DeviceWork.cpu().scan(chunk, before);
    }

    @Override
    public Speeds speeds() {
        return speeds.measured();
    }

    @Override
    public KernelCache.Stats kernelStats() {
        Cubins.Stats stats = Cubins.shared().stats();
        long hits = stats.memoryHits() + stats.diskHits();
        int size = (int) Math.min(Cubins.CAPACITY, stats.diskHits() + stats.compilations());
        return new KernelCache.Stats(hits, stats.compilations(), stats.compileNanos(), size, Cubins.CAPACITY);
    }

    @Override
    public String explain(Expr expr, Detail detail) {
        CudaRecording recording = CudaRecording.of(expr);
        return gpu.missingKernels()
                        .reason(recording.sources())
                        .map(reason -> "on the CPU: " + reason + "\n")
                        .orElse("")
                + recording.describe(detail);
    }
}
