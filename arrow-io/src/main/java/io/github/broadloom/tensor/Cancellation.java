package io.github.broadloom.tensor;

import java.util.ServiceLoader;

/** Ends work that nobody waits for any more: every loop that may take long asks between its steps whether the work of its thread is still wanted. */
public final class Cancellation {
    private static final Question QUESTION = ServiceLoader.load(Question.class, Question.class.getClassLoader())
            .findFirst()
            .orElse(() -> {});

    private Cancellation() {}

    /** How that is found out, where somebody runs this library's work. The implementation stands in {@code META-INF/services}. */
    @FunctionalInterface
    public interface Question {
        /** Throws what ends the work of the calling thread, where nobody wants it. Called often: it takes some nanoseconds. */
        void ask();
    }

    /** Goes on only where the work of the calling thread is wanted. */
    public static void check() {
        QUESTION.ask();
    }
}
