package io.github.broadloom.tensor;

import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.rounding.DefaultRoundingPolicy;

/**
 * The off-heap memory of this JVM: one Arrow root allocator. Its limit in bytes is the system property
 * {@code broadloom.memory.limit}; without it only the JVM's own limit on direct memory holds. Freed buffers are kept for
 * the next taker, because fresh pages cost several times the arithmetic that is done on them.
 */
public final class Memory {
    private static final int PATIENCE_MILLIS = 1_000;
    private static final int RELEASE_TIMEOUT_MILLIS = 20_000;
    private static final long MEBIBYTE = 1 << 20;
    private static final long LARGE_STEP = MEBIBYTE / 8;
    private static final long LIMIT = Long.getLong("broadloom.memory.limit", Long.MAX_VALUE);

    static {
        FirstUse.begin(); // before the allocator, which takes long to load
    }

    private static final RootAllocator ROOT = new RootAllocator(AllocationListener.NOOP, LIMIT, Memory::roundedSize);
    private static final BufferPool POOL = new BufferPool(poolBytes());

    private Memory() {}

    /** Arrow rounds up to a power of two, which could double a chunk; this does so only below a mebibyte. */
    private static long roundedSize(long bytes) {
        return bytes < MEBIBYTE
                ? DefaultRoundingPolicy.DEFAULT_ROUNDING_POLICY.getRoundedSize(bytes)
                : (bytes + LARGE_STEP - 1) & -LARGE_STEP;
    }

    /** At most a quarter of what there is, so that the pool never starves Arrow's own users of the allocator. */
    private static long poolBytes() {
        return Math.min(1L << 30, Math.min(LIMIT, Runtime.getRuntime().maxMemory()) / 4);
    }

    /** The root allocator, for Arrow vectors and children; tensors take theirs through {@link Storage}. */
    public static BufferAllocator allocator() {
        return ROOT;
    }

    /** Bytes that someone holds; buffers waiting in the pool do not count. */
    public static long allocatedBytes() {
        return Math.max(0, ROOT.getAllocatedMemory() - POOL.sizeBytes());
    }

    /** The limit on {@link #allocatedBytes()}, {@link Long#MAX_VALUE} where there is none. */
    public static long limitBytes() {
        return LIMIT;
    }

    /**
     * At least that many bytes, uninitialised. Where they are not to be had, frees the pool, collects garbage once and
     * tries again.
     *
     * @throws OutOfMemoryException with the figures
     */
    static ArrowBuf take(long bytes) {
        ArrowBuf pooled = POOL.take(bytes);
        if (pooled != null) {
            return pooled;
        }
        try {
            return ROOT.buffer(bytes);
        } catch (OutOfMemoryException | OutOfMemoryError full) {
            return takeAfterCollection(bytes, full);
        }
    }

    private static ArrowBuf takeAfterCollection(long bytes, Throwable full) {
        Throwable cause = full;
        System.gc();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        do { // the collector only finds what is unreachable; the cleaner's thread then frees it
            POOL.clear();
            try {
                return ROOT.buffer(bytes);
            } catch (OutOfMemoryException | OutOfMemoryError stillFull) {
                cause = stillFull;
            }
        } while (pause() && System.nanoTime() < deadline);
        OutOfMemoryException failure = new OutOfMemoryException("Cannot allocate tensor: " + bytes + " bytes wanted, "
                + allocatedBytes() + " allocated, limit " + (LIMIT == Long.MAX_VALUE ? "that of the JVM" : LIMIT)
                + "; use smaller chunks, or raise " + limitOption());
        failure.initCause(cause);
        throw failure;
    }

    private static String limitOption() {
        return LIMIT == Long.MAX_VALUE ? "-Dio.netty.maxDirectMemory or -Xmx" : "-Dbroadloom.memory.limit";
    }

    /** Gives a buffer back; it is reused where nobody else holds it. */
    static void giveBack(ArrowBuf buffer) {
        ReferenceManager manager = buffer.getReferenceManager();
        boolean ours = !(manager instanceof ForeignMemory)
                && manager.getAllocator() == ROOT
                && manager.getSize() == buffer.capacity(); // a slice would hide the rest of its memory in the pool
        if (!ours || buffer.refCnt() != 1 || !POOL.offer(buffer)) {
            manager.release();
        }
    }

    /**
     * Collects garbage until nothing is allocated: for tests.
     *
     * @throws IllegalStateException with the figures, where something still is after some seconds
     */
    public static void awaitReleased() {
        awaitReleased(RELEASE_TIMEOUT_MILLIS);
    }

    /** {@link #awaitReleased()} with another patience. */
    static void awaitReleased(long timeoutMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (allocatedBytes() > 0) {
            if (System.nanoTime() > deadline || !collect()) {
                throw new IllegalStateException("Cannot see all memory released: " + allocatedBytes()
                        + " bytes are still allocated; find who holds a tensor or an Arrow buffer\n"
                        + ROOT.toVerboseString());
            }
        }
    }

    private static boolean collect() {
        System.gc();
        return pause();
    }

    private static boolean pause() {
        try {
            Thread.sleep(10);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
