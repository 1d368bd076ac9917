package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a pool keeps goes back later, even where it could not go back once. */
class TrimmerTest {

    @Test
    void aFailureEndsTheThreadAndNotTheTrimmer() throws Exception {
        CompletableFuture<Thread> failed = new CompletableFuture<>();
        CompletableFuture<Thread> worked = new CompletableFuture<>();
        Trimmer trimmer = new Trimmer("trimmer-of-a-test", 0, () -> {
            if (failed.isDone()) {
                worked.complete(Thread.currentThread());
                return -1;
            }
            Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {}); // it is expected
            failed.complete(Thread.currentThread());
            throw new IllegalStateException("no memory for the books");
        });
        trimmer.start();
        failed.get().join();
        assertThat(trimmer.thread()).isNull();
        trimmer.start();
        assertThat(worked.get()).isNotSameAs(failed.get());
    }
}
