package io.github.broadloom.cpu;

import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What computes a pass: chosen once, for who runs it, once or again and again, and for who explains it.
 *
 * @param how for people
 * @param view the value where it is one of what is there already
 * @param repeated the same on one thread, as often as wanted, over the elements that the operands then have
 */
record Executable(Function<Detail, String> how, Body body, Optional<Tensor> view, Supplier<Runnable> repeated) {

    /** Leaves the values of the results. */
    interface Body {
        List<Tensor> run(int threads);
    }

    /** Loops over tiles or rows, through kernels. */
    static Executable of(Object loops, List<? extends Kernels.Cached<?>> kernels, Body body) {
        return of(detail -> describe(loops, kernels, detail), body);
    }

    static Executable of(Function<Detail, String> how, Body body) {
        return new Executable(how, body, Optional.empty(), () -> () -> body.run(1));
    }

    static Executable ofView(Tensor view) {
        return new Executable(detail -> "a view", threads -> List.of(view), Optional.of(view), () -> () -> {});
    }

    /** With what keeps more from run to run. */
    Executable again(Supplier<Runnable> kept) {
        return new Executable(how, body, view, kept);
    }

    List<Tensor> run(int threads) {
        return body.run(threads);
    }

    /** The loops, then the kernels, each once. */
    static String describe(Object loops, List<? extends Kernels.Cached<?>> kernels, Detail detail) {
        String all = kernels.stream()
                .map(kernel -> kernel.describe(detail))
                .distinct()
                .collect(Collectors.joining("; "));
        return "loops " + loops + "; " + (all.isEmpty() ? "no kernel" : all);
    }
}
