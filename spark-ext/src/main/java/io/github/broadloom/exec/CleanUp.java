package io.github.broadloom.exec;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;

/** What must be done to its end even where the thread was interrupted: Spark and java.nio give up at once when they see that. */
public final class CleanUp {
    private static final int PATIENCE_MILLIS = 2_000;
    private static final int POLL_MILLIS = 5;

    private CleanUp() {}

    /** Runs with the interrupt put aside, and puts it back. */
    public static void run(Runnable work) {
        boolean interrupted = Thread.interrupted();
        try {
            work.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for a condition, but not for long: executors that are lost do not meet it. */
    public static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
        }
    }

    /**
     * Lets Spark drop the chunks of an RDD, and waits until the executors have, so that their memory is there for what is computed next. It does not wait for long, and
     * what goes wrong is no failure: Spark itself would wait two minutes for an executor that is lost, or that makes one of the chunks, as the slow one of two
     * duplicates may, and which drops it when that task ends.
     */
    public static void drop(RDD<?> chunks) {
        Thread asking = new Thread(() -> chunks.unpersist(true), "broadloom-drop");
        asking.setDaemon(true);
        asking.setUncaughtExceptionHandler((thread, failure) -> {}); // Spark has logged it
        asking.start();
        boolean interrupted = false;
        try {
            asking.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        run(() -> {
            if (!chunks.getStorageLevel().equals(StorageLevel.NONE())) {
                chunks.unpersist(false);
            }
        });
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
