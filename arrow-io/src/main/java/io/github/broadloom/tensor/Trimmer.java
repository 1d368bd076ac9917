package io.github.broadloom.tensor;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Gives back what a pool keeps and nobody took for a while: a daemon thread, which there is only while something waits. */
public final class Trimmer {
    private final String name;
    private final long idleNanos;
    private final LongSupplier freeExpired;
    private @Nullable Thread thread;
    private boolean isWanted;

    /**
     * @param name of the thread
     * @param idleNanos how long something waits for a taker
     * @param freeExpired frees what has waited so long; returns the nanoseconds until the next is due, negative where nothing waits. Called without any lock
     */
    public Trimmer(String name, long idleNanos, LongSupplier freeExpired) {
        this.name = name;
        this.idleNanos = idleNanos;
        this.freeExpired = freeExpired;
    }

    public synchronized void start() {
        isWanted = true;
        if (thread == null) {
            thread = new Thread(this::run, name);
            thread.setDaemon(true);
            thread.setContextClassLoader(null); // it must keep nobody's classes
            thread.start();
        }
    }

    /** The thread, where there is one: for tests. */
    synchronized @Nullable Thread thread() {
        return thread;
    }

    private void run() {
        try {
            long pauseNanos = idleNanos;
            while (pauseNanos >= 0) {
                pauseNanos = paused(pauseNanos) ? trimmed() : pauseNanos;
            }
        } finally {
            ended();
        }
    }

    private static boolean paused(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
            return true;
        } catch (InterruptedException e) {
            return false; // nobody means this thread
        }
    }

    /** After a failure, too, the next who starts it has a thread. */
    private synchronized void ended() {
        if (thread == Thread.currentThread()) {
            thread = null;
        }
    }

    /** Returns how long to pause, negative where the thread ends. */
    private long trimmed() {
        synchronized (this) {
            isWanted = false;
        }
        long leftNanos = freeExpired.getAsLong();
        synchronized (this) {
            if (leftNanos < 0 && isWanted) { // by somebody who came between
                return idleNanos;
            }
            if (leftNanos < 0) {
                thread = null;
            }
            return leftNanos;
        }
    }
}
