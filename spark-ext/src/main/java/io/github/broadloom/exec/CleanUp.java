package io.github.broadloom.exec;

/** What must be done to its end even where the thread was interrupted: Spark and java.nio give up at once when they see that. */
final class CleanUp {
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
}
