package io.github.broadloom.tensor;

/**
 * Takes memory for tensors and for Arrow's buffers: large blocks are pages of the pool; small ones are the C library's, which keeps some at hand for each
 * thread, and the pool counts them.
 */
final class Blocks {
    private final PagePool pool;
    private final GarbageWatch garbage;

    Blocks(PagePool pool, GarbageWatch garbage) {
        this.pool = pool;
        this.garbage = garbage;
    }

    /**
     * Memory that one taker has.
     *
     * @param address of the first byte, at the start of a cache line
     * @param giveBack to be run once
     */
    record Block(long address, Runnable giveBack) {}

    /**
     * At least so many bytes, uninitialised.
     *
     * @throws org.apache.arrow.memory.OutOfMemoryException past the limit
     * @throws OutOfMemoryError where the system has none
     */
    Block take(long bytes) {
        long rounded = SizeClasses.rounded(bytes);
        return rounded < SizeClasses.LARGE_BYTES ? small(rounded) : large(rounded);
    }

    private Block small(long bytes) {
        pool.takeSmall(bytes);
        long base;
        try {
            base = RawMemory.allocate(bytes + RawMemory.CACHE_LINE_BYTES);
        } catch (OutOfMemoryError e) {
            pool.giveBackSmall(bytes);
            throw e;
        }
        return new Block(RawMemory.cacheLine(base), () -> {
            RawMemory.free(base);
            pool.giveBackSmall(bytes);
            garbage.released();
        });
    }

    private Block large(long bytes) {
        Pages pages = pool.takePooled(bytes);
        if (pages == null && garbage.collectWhereItPays()) {
            pages = pool.takePooled(bytes);
        }
        Pages taken = pages == null ? pool.takeFresh(bytes) : pages;
        return new Block(taken.address(), () -> {
            pool.giveBack(taken);
            garbage.released();
        });
    }
}
