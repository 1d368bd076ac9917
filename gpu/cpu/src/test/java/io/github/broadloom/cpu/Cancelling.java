package io.github.broadloom.cpu;

import io.github.broadloom.tensor.Cancellation;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;

/** Ends what the tests tell it to end: the work of a thread that has asked so often. */
public final class Cancelling implements Cancellation.Question {
    private static final ThreadLocal<AtomicLong> LEFT = ThreadLocal.withInitial(() -> new AtomicLong(Long.MAX_VALUE));

    @Override
    public void ask() {
        if (LEFT.get().getAndDecrement() == 0) {
            throw new CancellationException("Nobody waits");
        }
    }

    /** The calling thread may ask so often before it has to end. */
    static void after(long questions) {
        LEFT.get().set(questions);
    }

    /** How often the calling thread has asked since it was allowed to ask as often as it likes. */
    static long asked() {
        return Long.MAX_VALUE - LEFT.get().get();
    }

    /** The calling thread may ask as often as it likes. */
    static void never() {
        LEFT.get().set(Long.MAX_VALUE);
    }
}
