package io.github.broadloom.tensor;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.ForeignAllocation;
import org.jspecify.annotations.Nullable;

/**
 * The memory under one storage, which {@link #run} gives back. It does not know the storage, which would never become unreachable. Arrow hears of the memory when
 * somebody asks for its buffer, and not before: its allocator takes longer to load than all the rest. From then on Arrow counts who shares it, and it goes back with the last of them.
 */
final class Lease implements Runnable {
    private final long address;
    private final long bytes;
    private final Runnable giveBack;
    private final @Nullable MemoryMeter meter;
    private @Nullable ArrowBuf buffer;

    /**
     * @param giveBack gives the memory back
     * @param meter counts the bytes; null where they are nobody's memory
     */
    Lease(long address, long bytes, Runnable giveBack, @Nullable MemoryMeter meter) {
        this.address = address;
        this.bytes = bytes;
        this.giveBack = giveBack;
        this.meter = meter;
        if (meter != null) {
            meter.take(bytes);
        }
    }

    /** A reference to a buffer of Arrow's. */
    static Lease of(ArrowBuf buffer, @Nullable MemoryMeter meter) {
        buffer.getReferenceManager().retain();
        Lease lease = new Lease(buffer.memoryAddress(), buffer.capacity(), () -> {}, meter);
        lease.buffer = buffer;
        return lease;
    }

    long address() {
        return address;
    }

    long bytes() {
        return bytes;
    }

    /** The memory as Arrow's buffer, of which this has one reference. */
    synchronized ArrowBuf buffer() {
        if (buffer == null) {
            buffer = Memory.allocator().wrapForeignAllocation(new ForeignAllocation(bytes, address) {
                @Override
                protected void release0() {
                    giveBack.run();
                }
            });
        }
        return buffer;
    }

    @Override
    public synchronized void run() {
        if (buffer == null) {
            giveBack.run();
        } else {
            buffer.getReferenceManager().release();
        }
        if (meter != null) {
            meter.giveBack(bytes);
        }
    }
}
