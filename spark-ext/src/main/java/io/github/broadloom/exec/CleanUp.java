package io.github.broadloom.exec;

import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;

/** What must be done to its end even where the thread was interrupted: Spark and java.nio give up at once when they see that. */
final class CleanUp {
    private static final int PATIENCE_MILLIS = 2_000;

    private CleanUp() {}

    /** Runs with the interrupt put aside, and puts it back. */
    static void run(Runnable work) {
        boolean interrupted = Thread.interrupted();
        try {
            work.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Lets Spark drop the chunks of an RDD, and waits until the executors have, so that their memory is there for what is computed next. It does not wait for long, and
     * what goes wrong is no failure: Spark itself would wait two minutes for an executor that is lost, or that makes one of the chunks, as the slow one of two
     * duplicates may, and which drops it when that task ends.
     */
    static void drop(RDD<?> chunks) {
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
