package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.DirectKernel;
import io.github.broadloom.cpu.code.DirectKernel.Reach;
import io.github.broadloom.cpu.code.DirectKernelRenderer;
import io.github.broadloom.cpu.code.FoldKernel;
import io.github.broadloom.cpu.code.FoldKernelRenderer;
import io.github.broadloom.cpu.code.JavaRenderer;
import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.kernels.KernelSpec;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The compiled kernels of the CPU: those that store what they compute, and those that fold it. */
final class Kernels {
    private final KernelCache<TileKernel> tiles =
            new KernelCache<>(KernelCache.configuredCapacity(), JavaRenderer::compile);
    private final Map<Reach, KernelCache<DirectKernel>> direct = new EnumMap<>(Reach.class);
    private final Map<Reduction, KernelCache<FoldKernel>> folds = new ConcurrentHashMap<>();

    Kernels() {
        for (Reach reach : Reach.values()) {
            direct.put(
                    reach,
                    new KernelCache<>(
                            KernelCache.configuredCapacity(), spec -> DirectKernelRenderer.compile(spec, reach)));
        }
    }

    /** The kernel that stores what it computes of tiles. */
    Cached<TileKernel> tile(KernelSpec spec) {
        return new Cached<>("tile", spec, tiles, () -> JavaRenderer.render(spec));
    }

    /** The kernel that reads and writes where the tensors lie, or by short pieces from there. */
    Cached<DirectKernel> direct(KernelSpec spec, Reach reach) {
        KernelCache<DirectKernel> cache = Objects.requireNonNull(direct.get(reach));
        return new Cached<>(name(reach), spec, cache, () -> DirectKernelRenderer.render(spec, reach));
    }

    /** The kernel that folds the values of a program, where there is one: on the Vector API alone. */
    Optional<Cached<FoldKernel>> fold(KernelSpec spec, Reduction reduction) {
        return Simd.isVectorized() && FoldKernelRenderer.supports(spec, reduction)
                ? Optional.of(new Cached<>(
                        "fold_" + name(reduction),
                        spec,
                        folds(reduction),
                        () -> FoldKernelRenderer.render(spec, reduction)))
                : Optional.empty();
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private KernelCache<FoldKernel> folds(Reduction reduction) {
        return folds.computeIfAbsent(
                reduction,
                r -> new KernelCache<>(KernelCache.configuredCapacity(), spec -> FoldKernelRenderer.compile(spec, r)));
    }

    KernelCache.Stats stats() {
        return Stream.of(List.of(tiles), direct.values(), folds.values())
                .flatMap(Collection::stream)
                .map(KernelCache::stats)
                .reduce(KernelCache.Stats::plus)
                .orElseThrow();
    }

    /**
     * A kernel by what it computes and how, whether it is compiled or not.
     *
     * @param kind how it reads and writes: with the specification, what tells it from all others
     * @param source its Java
     */
    record Cached<K>(String kind, KernelSpec spec, KernelCache<K> cache, Supplier<String> source) {
        /** The kernel, compiled now if it is not there. */
        K get() {
            return cache.kernel(spec);
        }

        /** Its name, its length, its operands, and whether it is compiled; then its source if wanted. */
        String describe(Detail detail) {
            String operands = spec.operands().stream()
                    .map(operand ->
                            operand.dtype() + " " + operand.access().name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(", "));
            String state = cache.compileTime(spec)
                    .map(time -> "compiled in " + KernelCache.inMillis(time))
                    .orElse("compiled when first run");
            String line = "kernel %s_%08x of %d steps over %s, %s"
                    .formatted(kind, spec.toString().hashCode(), spec.steps().size(), operands, state);
            return detail == Detail.SOURCE
                    ? line + "\n" + source.get().indent(4).stripTrailing()
                    : line;
        }
    }
}
