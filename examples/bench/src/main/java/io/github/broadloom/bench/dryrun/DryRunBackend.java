package io.github.broadloom.bench.dryrun;

import io.github.broadloom.cuda.CudaRecording;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.device.LeastProducts;
import io.github.broadloom.device.Speeds;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Products;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The evaluations of {@link DryRunGpu}. */
final class DryRunBackend implements Backend {
    private static final Backend CPU = Devices.backend(Device.CPU);
    private static final Device GPU = Device.of("cuda", 0);

    private final Set<CudaSource> recorded = Collections.synchronizedSet(new LinkedHashSet<>());

    /** One work at a time: its threads are not known from those of another. */
    synchronized Set<CudaSource> kernels(Runnable work) {
        recorded.clear();
        work.run();
        return new LinkedHashSet<>(recorded);
    }

    @Override
    public Device device() {
        return DryRunGpu.DEVICE;
    }

    @Override
    public Tensor evaluate(Expr expr, int threads) {
        record(CudaRecording.of(placed(expr, new Twins(DryRunBackend::onGpu))));
        Tensor computed = CPU.evaluate(placed(expr, new Twins(DryRunBackend::here)), threads);
        return expr.device().isCpu() ? computed : computed.to(DryRunGpu.DEVICE);
    }

    @Override
    public void evaluateInto(Expr expr, Tensor target, int threads) {
        if (target.device().isCpu()) {
            target.copy_(evaluate(expr, threads));
            return;
        }
        Twins onGpu = new Twins(DryRunBackend::onGpu);
        record(CudaRecording.ofWriting(placed(expr, onGpu), onGpu.of(target)));
        Twins here = new Twins(DryRunBackend::here);
        CPU.evaluateInto(placed(expr, here), here.of(target), threads);
    }

    private void record(CudaRecording recording) {
        recorded.addAll(recording.sources());
    }

    private static Expr placed(Expr expr, Twins twins) {
        return expr.mapInputs(input -> input.source() instanceof Tensor tensor ? Input.of(twins.of(tensor)) : input);
    }

    /** Tensors over the same bytes that say that they are elsewhere; those that share a storage share one there. */
    private record Twins(UnaryOperator<Storage> twin, Map<Storage, Storage> known) {
        Twins(UnaryOperator<Storage> twin) {
            this(twin, new IdentityHashMap<>());
        }

        Tensor of(Tensor tensor) {
            return tensor.device().equals(DryRunGpu.DEVICE)
                    ? Tensor.of(tensor.dtype(), tensor.layout(), known.computeIfAbsent(tensor.storage(), twin))
                    : tensor;
        }
    }

    static Tensor here(Tensor tensor) {
        return new Twins(DryRunBackend::here).of(tensor);
    }

    private static Storage here(Storage storage) {
        return Storage.wrap(storage.deviceAddress(), storage.sizeBytes(), storage);
    }

    /** As a GPU would have it: nothing reads it. */
    private static Storage onGpu(Storage storage) {
        return Storage.onDevice(GPU, storage.deviceAddress(), storage.sizeBytes(), () -> {});
    }

    @Override
    public Optional<LeastProducts> leastProducts() {
        return Optional.of((rows, columns, count) -> {
            record(CudaRecording.ofLeastProducts(rows, columns, count));
            return Optional.of(least(rows, columns, count));
        });
    }

    private static long[] least(Tensor rows, Tensor columns, int count) {
        Tensor products = CPU.evaluate(Products.matmul(Input.of(rows), Input.of(columns.t())));
        try {
            return LongStream.range(0, rows.shape().size(0))
                    .flatMap(row -> least(products.select(0, row), count))
                    .toArray();
        } finally {
            products.release();
        }
    }

    private static LongStream least(Tensor products, int count) {
        return IntStream.range(0, (int) products.numel())
                .mapToLong(column -> LeastProducts.found((float) products.getDouble(column), column))
                .sorted()
                .limit(count);
    }

    @Override
    public List<List<FoldNode>> partials(List<Reduce> chunk, long firstRow) {
        record(CudaRecording.ofPartials(chunk, firstRow));
        return CPU.partials(chunk, firstRow);
    }

    @Override
    public List<FoldNode> partials(Along chunk, long firstRow) {
        record(CudaRecording.ofPartials(chunk, firstRow));
        return CPU.partials(chunk, firstRow);
    }

    @Override
    public Tensor scan(Along chunk, ScanCarry before) {
        return CPU.scan(chunk, before);
    }

    @Override
    public String explain(Expr expr, Detail detail) {
        return CudaRecording.of(placed(expr, new Twins(DryRunBackend::onGpu))).describe(detail);
    }

    @Override
    public Speeds speeds() {
        return CPU.speeds();
    }

    @Override
    public KernelCache.Stats kernelStats() {
        return CPU.kernelStats();
    }
}
