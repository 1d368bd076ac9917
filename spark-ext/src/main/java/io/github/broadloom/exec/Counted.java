package io.github.broadloom.exec;

import java.util.Arrays;
import java.util.Optional;

/** What Broadloom counts of a task because Spark does not. Each is an accumulator, which Spark's UI shows with the stage. */
public enum Counted {
    /** Bytes of files that were read. */
    FILE_BYTES("fileBytes"),
    /** Bytes of cached chunks that were fetched from other executors. */
    FETCHED_BYTES("fetchedBytes"),
    /** Bytes of operands that came to an executor whole, in broadcast variables or with the code: each once. */
    REPLICATED_BYTES("replicatedBytes"),
    /** Kernels that were compiled. */
    KERNELS("kernels");

    private static final String PREFIX = "broadloom.";

    private final String label;

    Counted(String label) {
        this.label = label;
    }

    /** Its name among Spark's accumulators, for instance {@code broadloom.fileBytes}. */
    public String accumulator() {
        return PREFIX + label;
    }

    /** What stands under that name. */
    static Optional<Counted> ofAccumulator(String name) {
        if (!name.startsWith(PREFIX)) {
            return Optional.empty();
        }
        return Arrays.stream(values())
                .filter(counted -> counted.accumulator().equals(name))
                .findFirst();
    }

    /** Its name among metrics, for instance {@code fileBytes}. */
    public String label() {
        return label;
    }
}
