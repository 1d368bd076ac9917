package io.github.broadloom.tensor;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.github.broadloom.tensor.Blocks.Block;
import java.lang.management.ManagementFactory;
import java.lang.ref.Cleaner;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;

/**
 * The off-heap memory of this JVM: a pool of pages, from which tensors and Arrow's root allocator take theirs. Freed buffers are kept for the next taker, because
 * fresh pages cost several times the arithmetic that is done on them; those that nobody took for half a minute go back to the
 * operating system. {@link #figures()} tells what happens.
 *
 * <p>System properties, in bytes or with a unit such as {@code 512m} and {@code 2g}:
 *
 * <ul>
 *   <li>{@code broadloom.memory.limit}: the most that may be held and pooled together; by default as much as the JVM grants direct
 *       buffers ({@code -XX:MaxDirectMemorySize}, else the size of the heap), on Spark's executors what their containers have beside the heap
 *   <li>{@code broadloom.memory.pool}: the most that waits in the pool; by default half of the limit, on Spark's executors what Spark reserves off the heap
 *   <li>{@code broadloom.memory.idleSeconds}: how long freed buffers wait for a taker
 * </ul>
 */
public final class Memory {
    /** Frees the storages that nobody refers to any more. */
    static final Cleaner CLEANER = Cleaner.create();

    private static final int PATIENCE_MILLIS = 1_000;
    private static final int POLL_MILLIS = 10;

    /** Other threads, of which each collection takes the time, may have much to release: Spark's cleaner some hundreds of broadcast variables. */
    private static final int LONGEST_PAUSE_MILLIS = 500;
    /** What is cached goes in pieces of that part of the limit at the least, so that garbage is not collected for each of them. */
    private static final int EVICTED_PARTS = 16;

    private static final int RELEASE_TIMEOUT_MILLIS = 20_000;
    private static final MemoryHost HOST = MemoryHost.find();
    private static final PagePool POOL = pool();
    private static final GarbageWatch GARBAGE = new GarbageWatch(Memory::allocatedBytes, CLEANER, Memory::limitBytes);
    private static final Blocks BLOCKS = new Blocks(POOL, GARBAGE);

    static {
        FirstUse.begin(); // now that the host is found: two who search the class path wait for each other
    }

    private Memory() {}

    /** Arrow's, which takes longer to load than all the rest: for those who ask. */
    private static final class Arrow {
        /** Without a limit of its own: the pool has it, which knows of the pages that wait, too. */
        static final RootAllocator ROOT = PooledRoot.of(SizeClasses::rounded, new PooledAllocation.Factory(BLOCKS));
    }

    private static PagePool pool() {
        long limit = MemorySettings.LIMIT.inJvm().orElseGet(Memory::usualLimitBytes);
        long pooled = MemorySettings.POOL.inJvm().orElse(limit / 2);
        return new PagePool(limit, Math.min(limit, pooled), MemorySettings.idleMillis());
    }

    /** The root allocator, for Arrow vectors and children; tensors take theirs through {@link Storage}. */
    public static BufferAllocator allocator() {
        HOST.follow();
        return Arrow.ROOT;
    }

    /** Bytes that someone holds; buffers waiting in the pool do not count. */
    public static long allocatedBytes() {
        return POOL.heldBytes();
    }

    public static long limitBytes() {
        HOST.follow();
        return POOL.limitBytes();
    }

    /** Whether somebody asked for that limit, and it is not just what the JVM would grant. */
    public static boolean isLimitSet() {
        return MemorySettings.LIMIT.isInJvm();
    }

    /** What is held, what waits, and how often the pool had what was wanted. */
    public static MemoryFigures figures() {
        HOST.follow();
        return POOL.figures(GARBAGE.collections());
    }

    /**
     * The limit, and the most that waits in the pool, where no system property says otherwise: what is around this JVM knows how much memory there is. What is held stays, though it be more.
     */
    public static void suggest(long limitBytes, long poolBytes) {
        long limit = MemorySettings.LIMIT.inJvm().orElse(limitBytes);
        POOL.limitTo(limit, Math.min(limit, MemorySettings.POOL.inJvm().orElse(poolBytes)));
    }

    /** The limit where nobody says otherwise: what the JVM grants direct buffers, which is as much as the heap where nobody says otherwise. */
    public static long usualLimitBytes() {
        long direct = flag("MaxDirectMemorySize").map(Long::parseLong).orElse(0L);
        return direct > 0 ? direct : Runtime.getRuntime().maxMemory();
    }

    /** What the JVM was told, or takes by itself; empty where it knows no such flag. */
    private static Optional<String> flag(String name) {
        try {
            return Optional.ofNullable(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class))
                    .map(flags -> flags.getVMOption(name).getValue());
        } catch (IllegalArgumentException notHotSpot) {
            return Optional.empty();
        }
    }

    /** Gives what waits in the pool back to the operating system. */
    public static void trim() {
        POOL.clear();
    }

    /**
     * At least that many bytes, uninitialised. Where they are not to be had, collects garbage, lets what is cached go, and
     * tries again for a moment.
     *
     * @throws OutOfMemoryException with the figures
     */
    static Block take(long bytes) {
        HOST.follow();
        try {
            return BLOCKS.take(bytes);
        } catch (OutOfMemoryException | OutOfMemoryError full) {
            return takeAfterCollection(bytes, full);
        }
    }

    private static Block takeAfterCollection(long bytes, Throwable full) {
        Throwable cause = full;
        collectGarbage();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        boolean evicted = false;
        boolean patient = true;
        while (patient) {
            try {
                return BLOCKS.take(bytes);
            } catch (OutOfMemoryException | OutOfMemoryError stillFull) {
                cause = stillFull;
            }
            if (evicted) { // and is still there, as what nobody closes
                collectGarbage();
                evicted = false;
            } else {
                evicted = HOST.evict(Math.max(bytes, limitBytes() / EVICTED_PARTS)) > 0;
                patient = evicted || (GarbageWatch.pause(POLL_MILLIS) && System.nanoTime() < deadline);
            }
        }
        OutOfMemoryException failure = new OutOfMemoryException("Cannot allocate tensor: " + bytes + " bytes wanted, "
                + figures().heldBytes() + " allocated, limit " + limitBytes() + "; use smaller chunks, or raise -D"
                + MemorySettings.LIMIT + remedyOfFlags());
        failure.initCause(cause);
        throw failure;
    }

    /** What the message adds where the JVM was told not to look for tensors that were dropped. */
    private static String remedyOfFlags() {
        boolean blind = flag("DisableExplicitGC").filter(Boolean::parseBoolean).isPresent();
        return blind ? ", or leave out -XX:+DisableExplicitGC, with which dropped tensors are not found" : "";
    }

    /**
     * Collects garbage until nothing is allocated: for tests.
     *
     * @throws IllegalStateException with the figures, where something still is after some seconds
     */
    public static void awaitReleased() {
        awaitReleased(RELEASE_TIMEOUT_MILLIS);
    }

    static void awaitReleased(long timeoutMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        long pauseMillis = POLL_MILLIS;
        while (allocatedBytes() > 0) {
            if (System.nanoTime() > deadline || !collect(pauseMillis)) {
                throw new IllegalStateException("Cannot see all memory released: " + allocatedBytes()
                        + " bytes are still allocated; find who holds a tensor or an Arrow buffer\n"
                        + allocator().toVerboseString());
            }
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        }
    }

    /**
     * Collects garbage and waits, for a moment at most, until what {@linkplain Storage storages} held that nobody refers to is given back: for memory that
     * ends elsewhere than here, as a device's.
     */
    public static void collectGarbage() {
        GarbageWatch.collect(CLEANER);
    }

    /**
     * Collects garbage where that is cheaper than more memory, for memory that is not this JVM's and that tensors hold all the same.
     *
     * @param heldBytes what they hold now
     * @param limitBytes the most that they may hold
     */
    public static GarbageWatch garbageWatch(LongSupplier heldBytes, LongSupplier limitBytes) {
        return new GarbageWatch(heldBytes, CLEANER, limitBytes);
    }

    /**
     * Whether memory of a tensor that somebody holds is pinned, and stays so as long as it is held. Slabs of the pool are pinned when somebody first asks for them, and stay so until the operating system has them back; tensors below 1 MiB, and above 16
     * MiB, lie elsewhere.
     *
     * @param pins the device, which is asked to pin
     */
    public static boolean isPinned(long address, long bytes, SlabPins pins) {
        return POOL.isPinned(address, bytes, pins);
    }

    /** Whether memory lies where it may be pinned at any time. */
    public static boolean isInSlab(long address) {
        return POOL.isInSlab(address);
    }

    /** Ends a device's pins: none of its copies may be under way. */
    public static void unpin(SlabPins pins) {
        POOL.unpin(pins);
    }

    private static boolean collect(long pauseMillis) {
        System.gc();
        return GarbageWatch.pause(pauseMillis);
    }
}
