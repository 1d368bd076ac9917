package io.github.broadloom.cuda.driver;

import org.jspecify.annotations.Nullable;

/** Does every step of a clean-up, whichever fail, and throws the first failure at the end. */
public final class Cleanup {
    private @Nullable RuntimeException first;

    public Cleanup() {}

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
