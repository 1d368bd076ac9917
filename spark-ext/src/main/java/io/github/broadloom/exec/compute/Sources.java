package io.github.broadloom.exec.compute;

import io.github.broadloom.exec.cache.CachedSource;
import io.github.broadloom.exec.read.LocalSource;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.plan.Source;
import io.github.broadloom.tensor.Tensor;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;

/** Makes an expression ready to be planned. */
public final class Sources {
    private Sources() {}

    /**
     * The expression with local tensors as sources that are sent, and with what is no longer cached replaced by what it is
     * computed from.
     *
     * @throws IllegalArgumentException where an input is neither a tensor nor a source
     */
    public static Expr resolve(Expr expr) {
        Map<Object, Expr> known = new IdentityHashMap<>();
        return expr.mapInputs(input -> known.computeIfAbsent(input.source(), source -> resolve(input)));
    }

    /**
     * Refuses an expression of which a tensor in the driver's memory was written to after it was built, or a local checkpoint was dropped.
     *
     * @return the expression
     * @throws IllegalStateException naming the remedy
     */
    public static Expr requireReadable(Expr expr) {
        for (Input input : expr.inputs()) {
            input.requireUnchanged();
            if (input.source() instanceof LocalSource local) {
                local.requireUnchanged();
            } else if (input.source() instanceof CachedSource cached) {
                cached.requireKept();
            }
        }
        return expr;
    }

    /**
     * An input that reads the same elements and is called {@code name}; the expression itself where it is no such
     * input.
     */
    public static Expr named(Expr expr, String name) {
        return expr instanceof Input input && input.source() instanceof Source source && source.named(name) != source
                ? Input.of(source.named(name), expr.dtype(), expr.shape()).warned(expr.warned())
                : expr;
    }

    private static Expr resolve(Input input) {
        if (input.source() instanceof Tensor tensor) {
            return Input.of(new LocalSource(tensor, null, "tensor"), tensor.dtype(), tensor.shape());
        }
        if (input.source() instanceof CachedSource cached && cached.isDropped()) {
            return resolve(Objects.requireNonNull(cached.expr()));
        }
        if (!(input.source() instanceof Source)) {
            throw new IllegalArgumentException(
                    "Cannot distribute input: " + input.source() + "; use a Tensor or a DistributedTensor");
        }
        return input;
    }
}
