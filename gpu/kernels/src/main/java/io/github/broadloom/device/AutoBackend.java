package io.github.broadloom.device;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.rewrite.Simplifier;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.RowNodes;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Gives each expression to the device that computes it sooner, by what it moves and what the devices do in a second. */
final class AutoBackend implements Backend {
    private final Backend cpu;
    private final Supplier<Optional<Backend>> gpu;
    private final Supplier<String> noGpu;

    /**
     * @param gpu the current one, where there is any that is in service
     * @param noGpu why there is none
     */
    AutoBackend(Backend cpu, Supplier<Optional<Backend>> gpu, Supplier<String> noGpu) {
        this.cpu = cpu;
        this.gpu = gpu;
        this.noGpu = noGpu;
    }

    /** A device, and why it is that one. */
    record Choice(Backend backend, String reason) {}

    @Override
    public Device device() {
        return Device.AUTO;
    }

    Choice choose(Expr expr) {
        if (!expr.device().isCpu()) {
            return new Choice(Devices.backend(expr.device()), "its tensors are there");
        }
        try {
            return gpu.get().map(other -> sooner(expr, other)).orElseGet(() -> new Choice(cpu, noGpu.get()));
        } catch (RuntimeException e) { // it does not open, or is full: later it may be otherwise
            return new Choice(cpu, String.valueOf(e.getMessage()));
        }
    }

    private Choice sooner(Expr expr, Backend other) {
        Work work = Work.of(Simplifier.simplify(expr));
        double here = cpu.speeds().seconds(work);
        double there = other.speeds().seconds(work);
        boolean stays = here <= there;
        return new Choice(stays ? cpu : other, reason(work, here, there, other.device()));
    }

    private static String reason(Work work, double here, double there, Device gpu) {
        return String.format(
                Locale.ROOT,
                "%.1f MB there and %.1f MB back take about %.3g ms on %s, and %.3g ms here",
                work.bytesIn() / 1e6,
                work.bytesOut() / 1e6,
                there * 1e3,
                gpu,
                here * 1e3);
    }

    /** What the chosen device makes of an expression. Where that one goes out of service meanwhile, the CPU does, if the operands are not lost with it. */
    private <T> T run(Expr expr, Function<Backend, T> work) {
        Backend chosen = choose(expr).backend();
        try {
            return work.apply(chosen);
        } catch (RuntimeException e) {
            if (chosen == cpu || !expr.device().isCpu() || gpu.get().isPresent()) {
                throw e;
            }
            return work.apply(cpu);
        }
    }

    @Override
    public Tensor evaluate(Expr expr, int threads) {
        return run(expr, chosen -> chosen.evaluate(expr, threads));
    }

    @Override
    public void evaluateInto(Expr expr, Tensor target, int threads) {
        if (!target.device().isCpu()) {
            Devices.backend(target.device()).evaluateInto(expr, target, threads);
            return;
        }
        run(expr, chosen -> {
            chosen.evaluateInto(expr, target, threads);
            return target;
        });
    }

    @Override
    public Optional<PackedProducts> packedProducts() {
        return gpu.get().isPresent() ? Optional.empty() : cpu.packedProducts();
    }

    @Override
    public Optional<LeastProducts> leastProducts() {
        return gpu.get().flatMap(Backend::leastProducts).map(there -> (rows, columns, count) -> {
            try {
                return there.of(rows, columns, count);
            } catch (RuntimeException e) {
                if (gpu.get().isPresent()) {
                    throw e;
                }
                return Optional.empty(); // it went out of service
            }
        });
    }

    @Override
    public List<List<FoldNode>> partials(List<Reduce> chunk, long firstRow) {
        return run(chunk.get(0), chosen -> chosen.partials(chunk, firstRow));
    }

    /** A device that goes out of service has not touched the nodes. */
    @Override
    public void partials(List<Reduce> chunk, long firstRow, List<? extends RowNodes> nodes) {
        run(chunk.get(0), chosen -> {
            chosen.partials(chunk, firstRow, nodes);
            return nodes;
        });
    }

    @Override
    public List<FoldNode> partials(Along chunk, long firstRow) {
        return run(chunk, chosen -> chosen.partials(chunk, firstRow));
    }

    @Override
    public Tensor scan(Along chunk, ScanCarry before) {
        return run(chunk, chosen -> chosen.scan(chunk, before));
    }

    @Override
    public String explain(Expr expr, Detail detail) {
        Choice choice = choose(expr);
        return "auto: " + choice.backend().device() + ", because " + choice.reason() + "\n"
                + choice.backend().explain(expr, detail);
    }

    @Override
    public KernelCache.Stats kernelStats() {
        return gpu.get()
                .map(other -> cpu.kernelStats().plus(other.kernelStats()))
                .orElseGet(cpu::kernelStats);
    }

    @Override
    public Speeds speeds() {
        return cpu.speeds();
    }
}
