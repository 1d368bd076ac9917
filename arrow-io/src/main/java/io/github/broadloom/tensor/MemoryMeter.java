package io.github.broadloom.tensor;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes that one thread's storages hold at a time: from {@link #begin} to {@link #close}, every {@link Storage} that the thread makes counts until it
 * is freed, by whichever thread. Sizes are those asked for: what a size class adds is never touched and takes no memory.
 *
 * <p>Memory that others made and the thread keeps from being freed is {@linkplain #hold held} by hand, and so are {@linkplain #array arrays on the heap} that are as
 * large as the data is. The tiles of kernels and other buffers of fixed size are not counted.
 */
public final class MemoryMeter implements AutoCloseable {
    /** Arrays on the heap that are smaller are not counted. */
    public static final long LEAST_ARRAY_BYTES = 1 << 16;

    private static final ThreadLocal<@Nullable MemoryMeter> CURRENT = new ThreadLocal<>();

    private final AtomicLong held = new AtomicLong();
    /** Written by the meter's own thread alone: only takes raise it. */
    private volatile long peakBytes;

    /** Of that, what storages of the thread's own are. */
    private final AtomicLong own = new AtomicLong();

    private final LongConsumer expectation;
    private long arrayBytes;

    private MemoryMeter(LongConsumer expectation) {
        this.expectation = expectation;
    }

    /** Counts what this thread takes from now on; a meter that was counting it stops. */
    public static MemoryMeter begin() {
        return begin(bytes -> {});
    }

    /** As {@link #begin()}, and tells before each storage what the thread's own are going to come to. */
    public static MemoryMeter begin(LongConsumer expectation) {
        MemoryMeter meter = new MemoryMeter(expectation);
        CURRENT.set(meter);
        return meter;
    }

    static @Nullable MemoryMeter current() {
        return CURRENT.get();
    }

    /** This thread is about to take that many bytes. */
    static void expect(long bytes) {
        MemoryMeter meter = CURRENT.get();
        if (meter != null) {
            meter.expectation.accept(meter.own.get() + bytes);
        }
    }

    /** Does something of which nothing is counted, such as making what many threads will share. */
    public static <T> T uncounted(Supplier<T> body) {
        MemoryMeter meter = CURRENT.get();
        CURRENT.remove();
        try {
            return body.get();
        } finally {
            CURRENT.set(meter);
        }
    }

    /** An array on the heap that this thread made counts until {@link #dropArrays}, where it is not small. */
    public static void array(long bytes) {
        MemoryMeter meter = CURRENT.get();
        if (meter != null && bytes >= LEAST_ARRAY_BYTES) {
            meter.arrayBytes += bytes;
            meter.hold(bytes);
        }
    }

    /** The bytes of arrays on the heap that this thread counts. */
    public static long arrayBytes() {
        MemoryMeter meter = CURRENT.get();
        return meter == null ? 0 : meter.arrayBytes;
    }

    /** Nobody refers any more to the arrays that were counted since there were so many bytes of them. */
    public static void dropArrays(long before) {
        MemoryMeter meter = CURRENT.get();
        if (meter != null) {
            meter.letGo(meter.arrayBytes - before);
            meter.arrayBytes = before;
        }
    }

    /** Bytes that the thread keeps though others made them: they count until they are {@linkplain #letGo let go}, or the meter is closed. */
    public void hold(long bytes) {
        peakBytes = Math.max(peakBytes, held.addAndGet(bytes));
    }

    /** Ends what {@link #hold} began. */
    public void letGo(long bytes) {
        held.addAndGet(-bytes);
    }

    void take(long bytes) {
        own.addAndGet(bytes);
        hold(bytes);
    }

    void giveBack(long bytes) {
        own.addAndGet(-bytes);
        letGo(bytes);
    }

    public long heldBytes() {
        return held.get();
    }

    public long peakBytes() {
        return peakBytes;
    }

    /** Stops counting; what the thread still holds is forgotten. Must run on the thread that began. */
    @Override
    public void close() {
        if (CURRENT.get() == this) {
            CURRENT.remove();
        }
    }
}
