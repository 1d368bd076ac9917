package io.github.broadloom.device;

/** An evaluation that was planned once and can be run again and again, as a prepared statement of SQL is. It serves one thread. */
@FunctionalInterface
public interface PreparedEvaluation extends AutoCloseable {
    /** Evaluates, over the elements that the inputs now have. */
    void run();

    /** Releases what is kept between the runs; there is no other after it. */
    @Override
    default void close() {}
}
