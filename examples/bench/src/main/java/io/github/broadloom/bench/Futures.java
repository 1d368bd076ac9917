package io.github.broadloom.bench;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waiting without checked exceptions. */
final class Futures {
    private Futures() {}

    static void await(Future<?> future) {
        try {
            future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("The measurement was interrupted");
        } catch (ExecutionException e) {
            throw new IllegalStateException("A copying thread failed", e.getCause());
        }
    }
}
