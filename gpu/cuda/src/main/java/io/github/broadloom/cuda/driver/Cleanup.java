package io.github.broadloom.cuda.driver;

import io.github.broadloom.tensor.Tensor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Does every step of a clean-up, whichever fail, and throws the first failure at the end. */
public final class Cleanup {
    private @Nullable RuntimeException first;

    public Cleanup() {}

    /** What work makes of a fresh tensor, which is released where it fails. */
    public static Tensor filled(Tensor fresh, UnaryOperator<Tensor> work) {
        try {
            return work.apply(fresh);
        } catch (RuntimeException | Error e) {
            fresh.release();
            throw e;
        }
    }

    /** @param reason the failure that is being cleaned up after; what else fails is told with it */
    public Cleanup(RuntimeException reason) {
        first = reason;
    }

    public void run(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            if (first == null) {
                first = e;
            } else {
                first.addSuppressed(e);
            }
        }
    }

    public void finish() {
        if (first != null) {
            throw first;
        }
    }
}
