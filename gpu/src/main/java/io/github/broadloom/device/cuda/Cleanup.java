package io.github.broadloom.device.cuda;

import org.jspecify.annotations.Nullable;

/** Does every step of a clean-up, whichever fail, and throws the first failure at the end. */
final class Cleanup {
    private @Nullable RuntimeException first;

    Cleanup() {}

    /** @param reason the failure that is being cleaned up after; what else fails is told with it */
    Cleanup(RuntimeException reason) {
        first = reason;
    }

    /** Does a step; keeps its failure. */
    void run(Runnable step) {
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

    /** Throws the first failure, if there was one. */
    void finish() {
        if (first != null) {
            throw first;
        }
    }
}
