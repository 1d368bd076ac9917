package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.DirectKernel;
import io.github.broadloom.codegen.DirectKernel.Reach;
import io.github.broadloom.codegen.FoldKernel;
import io.github.broadloom.codegen.FoldKernelRenderer;
import io.github.broadloom.codegen.KernelCompiler;
import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.TileKernel;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.expr.Reduction;
import io.github.broadloom.lanes.Lanes;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The compiled kernels of the CPU: those that store what they compute, and those that fold it. */
final class Kernels {
    private final KernelCache<TileKernel> pointwise =
            new KernelCache<>(KernelCache.configuredCapacity(), KernelCompiler::pointwise);
    private final Map<Reach, KernelCache<DirectKernel>> direct = new EnumMap<>(Reach.class);
    private final Map<Reduction, KernelCache<FoldKernel>> folds = new EnumMap<>(Reduction.class);

    Kernels() {
        for (Reach reach : Reach.values()) {
            direct.put(
                    reach,
                    new KernelCache<>(KernelCache.configuredCapacity(), spec -> KernelCompiler.direct(spec, reach)));
        }
    }

    /** The kernels that store what they compute of tiles. */
    KernelCache<TileKernel> pointwise() {
        return pointwise;
    }

    /** The kernels that read and write where the tensors lie, or by short pieces from there. */
    KernelCache<DirectKernel> direct(Reach reach) {
        return Objects.requireNonNull(direct.get(reach));
    }

    /** The kernel that folds the values of a program, where there is one: on the Vector API alone. */
    Optional<FoldKernel> fold(KernelSpec spec, Reduction reduction) {
        return Lanes.isVectorized() && FoldKernelRenderer.supports(spec, reduction)
                ? Optional.of(folds(reduction).kernel(spec))
                : Optional.empty();
    }

    private KernelCache<FoldKernel> folds(Reduction reduction) {
        synchronized (folds) {
            return folds.computeIfAbsent(
                    reduction,
                    r -> new KernelCache<>(KernelCache.configuredCapacity(), spec -> KernelCompiler.fold(spec, r)));
        }
    }

    /** What all caches have done. */
    KernelCache.Stats stats() {
        KernelCache.Stats sum = pointwise.stats();
        for (KernelCache<DirectKernel> cache : direct.values()) {
            sum = sum.plus(cache.stats());
        }
        synchronized (folds) {
            for (KernelCache<FoldKernel> cache : folds.values()) {
                sum = sum.plus(cache.stats());
            }
        }
        return sum;
    }
}
