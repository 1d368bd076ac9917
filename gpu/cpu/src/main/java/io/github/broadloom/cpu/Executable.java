package io.github.broadloom.cpu;

import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * What computes a pass: chosen once, for who runs it and for who explains it.
 *
 * @param how for people
 * @param body takes the number of threads
 * @param view the value where it is one of what is there already
 */
record Executable(Function<Detail, String> how, IntFunction<List<Tensor>> body, Optional<Tensor> view) {

    /** Loops over tiles or rows, through kernels. */
    static Executable of(Object loops, List<? extends CachedKernel<?>> kernels, IntFunction<List<Tensor>> body) {
        return of(detail -> describe(loops, kernels, detail), body);
    }

    static Executable of(Function<Detail, String> how, IntFunction<List<Tensor>> body) {
        return new Executable(how, body, Optional.empty());
    }

    /** What is there already. */
    static Executable ofView(Tensor view) {
        return new Executable(detail -> "a view", threads -> List.of(view), Optional.of(view));
    }

    /** Computes the pass; returns the values of its results. */
    List<Tensor> run(int threads) {
        return body.apply(threads);
    }

    /** The loops, then the kernels, each once. */
    static String describe(Object loops, List<? extends CachedKernel<?>> kernels, Detail detail) {
        String all = kernels.stream()
                .map(kernel -> kernel.describe(detail))
                .distinct()
                .collect(Collectors.joining("; "));
        return "loops " + loops + "; " + (all.isEmpty() ? "no kernel" : all);
    }
}
