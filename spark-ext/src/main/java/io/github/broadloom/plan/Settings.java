package io.github.broadloom.plan;

/**
 * What the planner may take for granted.
 *
 * @param chunkBytes the size of a chunk
 * @param replicateBytes the largest operand that is copied to every executor
 * @param taskBytes the memory that one task may fill, {@link Long#MAX_VALUE} where nobody knows
 * @param slots how many tasks run at a time, {@link #UNKNOWN_SLOTS} where nobody knows
 * @param device where the kernels run, by name
 */
public record Settings(long chunkBytes, long replicateBytes, long taskBytes, int slots, String device) {
    /**
     * Small enough that dozens fit an executor, large enough that a task's start does not count: measured, a chunk costs about a millisecond beside
     * the arithmetic, and 32 MiB take some ten milliseconds of that.
     */
    public static final long DEFAULT_CHUNK_BYTES = 32L << 20;

    /** Spark ships this much to an executor in a few seconds. */
    public static final long DEFAULT_REPLICATE_BYTES = 512L << 20;

    /** The slots of a cluster that grows and shrinks. */
    public static final int UNKNOWN_SLOTS = Integer.MAX_VALUE;

    public Settings {
        if (slots < 1) {
            throw new IllegalArgumentException("Cannot plan for " + slots + " tasks at a time: give at least 1");
        }
        positive(chunkBytes, "chunks");
        positive(replicateBytes, "replicated operands");
        positive(taskBytes, "tasks");
    }

    /** The defaults, on the CPU. */
    public static Settings defaults() {
        return new Settings(DEFAULT_CHUNK_BYTES, DEFAULT_REPLICATE_BYTES, Long.MAX_VALUE, UNKNOWN_SLOTS, "cpu");
    }

    public Settings withChunkBytes(long bytes) {
        return new Settings(bytes, replicateBytes, taskBytes, slots, device);
    }

    public Settings withReplicateBytes(long bytes) {
        return new Settings(chunkBytes, bytes, taskBytes, slots, device);
    }

    public Settings withTaskBytes(long bytes) {
        return new Settings(chunkBytes, replicateBytes, bytes, slots, device);
    }

    public Settings withSlots(int tasks) {
        return new Settings(chunkBytes, replicateBytes, taskBytes, tasks, device);
    }

    public Settings withDevice(String name) {
        return new Settings(chunkBytes, replicateBytes, taskBytes, slots, name);
    }

    private static void positive(long bytes, String what) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("Cannot plan with " + what + " of " + bytes + " bytes: give at least 1");
        }
    }
}
