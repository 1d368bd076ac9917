package io.github.broadloom.plan;

/**
 * What the planner may take for granted.
 *
 * @param chunks the size of a chunk
 * @param replicateBytes the largest operand that is copied to every executor
 * @param pieceBytes the size of the pieces in which such an operand is broadcast
 * @param driverBytes what the partial results of a fold may come to on the driver; more are joined by tasks before
 * @param taskBytes the memory that one task may fill, {@link #UNKNOWN_BYTES} where nobody knows
 * @param heapBytes the heap of a task, and of the driver, {@link #UNKNOWN_BYTES} where nobody knows
 * @param slots how many tasks run at a time, {@link #UNKNOWN_SLOTS} where nobody knows
 * @param device where the kernels run, by name
 */
public record Settings(
        ChunkSize chunks,
        long replicateBytes,
        long pieceBytes,
        long driverBytes,
        long taskBytes,
        long heapBytes,
        int slots,
        String device) {
    /** Spark ships this much to an executor in a few seconds. */
    public static final long DEFAULT_REPLICATE_BYTES = 512L << 20;

    /** Spark has a piece on the heap of every JVM that it comes to, and takes some milliseconds for it. */
    public static final long DEFAULT_PIECE_BYTES = 32L << 20;

    /** The driver joins this much in about the time that another stage takes. */
    public static final long DEFAULT_DRIVER_BYTES = 32L << 20;

    /** The slots of a cluster that grows and shrinks. */
    public static final int UNKNOWN_SLOTS = Integer.MAX_VALUE;

    /** Memory of which nobody said how much there is. */
    public static final long UNKNOWN_BYTES = Long.MAX_VALUE;

    public Settings {
        if (slots < 1) {
            throw new IllegalArgumentException("Cannot plan for " + slots + " tasks at a time: give at least 1");
        }
        positive(replicateBytes, "replicated operands");
        positive(pieceBytes, "pieces");
        positive(driverBytes, "partial results");
        positive(taskBytes, "tasks");
        positive(heapBytes, "a heap");
    }

    public static Settings defaults() {
        return new Settings(
                ChunkSize.USUAL,
                DEFAULT_REPLICATE_BYTES,
                DEFAULT_PIECE_BYTES,
                DEFAULT_DRIVER_BYTES,
                UNKNOWN_BYTES,
                UNKNOWN_BYTES,
                UNKNOWN_SLOTS,
                "cpu");
    }

    /** The size of a chunk where nothing is known of the tensor. */
    public long chunkBytes() {
        return chunks.usualBytes();
    }

    /** The size of the chunks of a tensor of that many bytes. */
    public long chunkBytesOf(long tensorBytes) {
        return slots == UNKNOWN_SLOTS ? chunks.usualBytes() : chunks.of(tensorBytes, slots);
    }

    /** Chunks of that size, however large the tensor and the cluster are. */
    public Settings withChunkBytes(long bytes) {
        positive(bytes, "chunks");
        return new Settings(
                ChunkSize.of(bytes), replicateBytes, pieceBytes, driverBytes, taskBytes, heapBytes, slots, device);
    }

    /** Tasks of that memory, and chunks of which they can hold several. */
    public Settings withTasksOf(long bytes) {
        return new Settings(
                chunks.within(bytes), replicateBytes, pieceBytes, driverBytes, bytes, heapBytes, slots, device);
    }

    public Settings withReplicateBytes(long bytes) {
        return new Settings(chunks, bytes, pieceBytes, driverBytes, taskBytes, heapBytes, slots, device);
    }

    public Settings withPieceBytes(long bytes) {
        return new Settings(chunks, replicateBytes, bytes, driverBytes, taskBytes, heapBytes, slots, device);
    }

    public Settings withDriverBytes(long bytes) {
        return new Settings(chunks, replicateBytes, pieceBytes, bytes, taskBytes, heapBytes, slots, device);
    }

    public Settings withTaskBytes(long bytes) {
        return new Settings(chunks, replicateBytes, pieceBytes, driverBytes, bytes, heapBytes, slots, device);
    }

    public Settings withHeapBytes(long bytes) {
        return new Settings(chunks, replicateBytes, pieceBytes, driverBytes, taskBytes, bytes, slots, device);
    }

    public Settings withSlots(int tasks) {
        return new Settings(chunks, replicateBytes, pieceBytes, driverBytes, taskBytes, heapBytes, tasks, device);
    }

    /**
     * A cluster of that size: so many tasks at a time on each executor, which share its memory evenly.
     *
     * @param executorBytes off-heap memory of an executor, {@link #UNKNOWN_BYTES} where nobody knows
     */
    public Settings withExecutors(int executors, int tasksEach, long executorBytes) {
        if (executors < 1 || tasksEach < 1) {
            throw new IllegalArgumentException("Cannot plan for " + executors + " executors of " + tasksEach
                    + " tasks at a time: give at least 1 of both");
        }
        positive(executorBytes, "executors");
        long taskBytes = executorBytes == UNKNOWN_BYTES ? UNKNOWN_BYTES : Math.max(1, executorBytes / tasksEach);
        int slots = (int) Math.min(Integer.MAX_VALUE - 1, (long) executors * tasksEach);
        return withSlots(slots).withTaskBytes(taskBytes);
    }

    public Settings withDevice(String name) {
        return new Settings(chunks, replicateBytes, pieceBytes, driverBytes, taskBytes, heapBytes, slots, name);
    }

    private static void positive(long bytes, String what) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("Cannot plan with " + what + " of " + bytes + " bytes: give at least 1");
        }
    }
}
