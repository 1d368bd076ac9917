package io.github.broadloom.plan;

/**
 * How large chunks are, in bytes: as large as leaves every task that runs at a time two of them, between a least and a most.
 *
 * @param leastBytes smaller ones would cost more to start a task for than to compute
 * @param usualBytes where it is not known how many tasks run at a time
 * @param mostBytes small enough that dozens fit an executor
 */
public record ChunkSize(long leastBytes, long usualBytes, long mostBytes) {
    /** Measured: a chunk costs one to two milliseconds beside the arithmetic, and 32 MiB take some seven milliseconds of that. */
    public static final ChunkSize USUAL = new ChunkSize(8L << 20, 32L << 20, 64L << 20);

    private static final int CHUNKS_PER_SLOT = 2;

    /** Operands, what is computed on the way, and the result: most tasks hold fewer. */
    private static final int CHUNKS_PER_TASK = 8;

    private static final long LEAST_WITHIN = 1 << 20;

    static ChunkSize of(long bytes) {
        return new ChunkSize(bytes, bytes, bytes);
    }

    /** No larger than tasks of so much memory can hold several of, 1 MiB at the least. */
    public ChunkSize within(long taskBytes) {
        long most = Math.max(LEAST_WITHIN, taskBytes / CHUNKS_PER_TASK);
        return new ChunkSize(Math.min(leastBytes, most), Math.min(usualBytes, most), Math.min(mostBytes, most));
    }

    long of(long tensorBytes, int slots) {
        return Math.max(leastBytes, Math.min(mostBytes, tensorBytes / CHUNKS_PER_SLOT / slots));
    }
}
