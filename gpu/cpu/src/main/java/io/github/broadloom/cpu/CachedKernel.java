package io.github.broadloom.cpu;

import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.kernels.KernelSpec;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A kernel by what it computes and how, whether it is compiled or not.
 *
 * @param kind how it reads and writes: with the specification, what tells it from all others
 * @param source its Java
 */
record CachedKernel<K>(String kind, KernelSpec spec, KernelCache<K> cache, Supplier<String> source) {
    /** The kernel, compiled now if it is not there. */
    K get() {
        return cache.kernel(spec);
    }

    /** Its name, its length, its operands, and whether it is compiled; then its source if wanted. */
    String describe(Detail detail) {
        String operands = spec.operands().stream()
                .map(operand -> operand.dtype() + " " + operand.access().name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        String state = cache.compileTime(spec)
                .map(time -> "compiled in " + KernelCache.inMillis(time))
                .orElse("compiled when first run");
        String line = "kernel %s_%08x of %d steps over %s, %s"
                .formatted(kind, spec.toString().hashCode(), spec.steps().size(), operands, state);
        return detail == Detail.SOURCE ? line + "\n" + source.get().indent(4).stripTrailing() : line;
    }
}
