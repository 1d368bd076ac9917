package io.github.broadloom.tensor;

import io.github.broadloom.tensor.Blocks.Block;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.ArrowBuf;

/**
 * The bytes under tensors: memory of the pool, which Arrow can share, a buffer of Arrow's, or memory of a GPU, with one owner, this object. It is freed when nothing refers to this any more,
 * not by a {@code close()}, because views and Spark's caches share it; {@link #release} frees early what nobody else needs.
 *
 * <p>Code that works on {@link #address()} must {@linkplain Hold hold} this until it is done: then this stays reachable, and a release by another
 * thread takes effect afterwards. Only what no other thread can know yet needs no hold.
 */
public final class Storage {
    private static final int FREE = Integer.MIN_VALUE;

    private final Lease lease;
    private final Device device;
    private final boolean readOnly;
    private final Cleaner.Cleanable cleanable;
    private final AtomicLong version = new AtomicLong();
    /** How many hold this. It is negative once this is released, and {@link #FREE} when nobody holds it any more. */
    private final AtomicInteger holders = new AtomicInteger();

    private Storage(Lease lease, Device device, boolean readOnly) {
        this.lease = lease;
        this.device = device;
        this.readOnly = readOnly;
        this.cleanable = Memory.CLEANER.register(this, lease);
    }

    /**
     * Fresh bytes, uninitialised.
     *
     * @throws org.apache.arrow.memory.OutOfMemoryException with the figures, past the limit
     */
    public static Storage allocate(long bytes) {
        MemoryMeter.expect(bytes);
        Block block = Memory.take(bytes);
        Lease lease = new Lease(block.address(), bytes, block.giveBack(), MemoryMeter.current());
        return new Storage(lease, Device.CPU, false);
    }

    /** Fresh bytes, all zero. */
    public static Storage allocateZeroed(long bytes) {
        Storage storage = allocate(bytes);
        RawMemory.fill(storage.address(), bytes, (byte) 0);
        return storage;
    }

    /** Shares an Arrow buffer: takes a reference of its own and copies nothing. */
    public static Storage wrap(ArrowBuf buffer) {
        return new Storage(Lease.of(buffer, MemoryMeter.current()), Device.CPU, false);
    }

    /**
     * Shares a direct or memory-mapped byte buffer from its position to its limit, keeps it alive and copies nothing. What shares a
     * {@linkplain ByteBuffer#isReadOnly read-only} one cannot be written to. A mapped file must not be shortened while this is in use:
     * the operating system would end the JVM.
     *
     * @throws IllegalArgumentException where it is on the heap
     */
    public static Storage wrap(ByteBuffer direct) {
        return wrap(RawMemory.addressOf(direct), direct.remaining(), direct, direct.isReadOnly());
    }

    /** Shares foreign memory that is there as long as {@code owner} is reachable, such as a large mapped file. */
    public static Storage wrap(long address, long bytes, Object owner) {
        return wrap(address, bytes, owner, false);
    }

    private static Storage wrap(long address, long bytes, Object owner, boolean readOnly) {
        Runnable letGo = () -> Reference.reachabilityFence(owner); // until then it is reachable from here
        return new Storage(new Lease(address, bytes, letGo, null), Device.CPU, readOnly);
    }

    /**
     * Memory of a device with an address space of its own.
     *
     * @param device with its ordinal
     * @param free gives it back; must not refer to this storage
     */
    public static Storage onDevice(Device device, long address, long bytes, Runnable free) {
        return new Storage(new Lease(address, bytes, free, null), device, false);
    }

    public Device device() {
        return device;
    }

    /**
     * The address of the first byte, for the CPU.
     *
     * @throws IllegalStateException where it is {@linkplain #release freed}, and where the CPU cannot read it
     */
    public long address() {
        if (!device.isCpu()) {
            throw new IllegalStateException(
                    "Cannot read memory of " + device + " on the CPU; copy the tensor with to(Device.CPU) first");
        }
        return deviceAddress();
    }

    /**
     * The address of the first byte in the memory of {@link #device()}.
     *
     * @throws IllegalStateException where it is {@linkplain #release freed}
     */
    public long deviceAddress() {
        checkThere();
        return lease.address();
    }

    /** The size that was asked for, in bytes. */
    public long sizeBytes() {
        return lease.bytes();
    }

    /**
     * How often the bytes were written to through a tensor. An expression remembers it, because PyTorch would have
     * computed with the elements of that moment.
     */
    public long version() {
        return version.get();
    }

    /** Counts a write: whoever changes elements that others may have seen calls this afterwards. */
    public void markWritten() {
        version.incrementAndGet();
    }

    /**
     * Asked before every write: a write to pages that the operating system protects would end the JVM.
     *
     * @throws IllegalArgumentException with NumPy's text, where the bytes are those of a read-only buffer
     */
    public void requireWritable() {
        if (readOnly) {
            throw new IllegalArgumentException("assignment destination is read-only");
        }
    }

    /**
     * The Arrow buffer; who keeps it retains it, and who writes through it asks {@link #requireWritable} first.
     *
     * @throws IllegalStateException where it is {@linkplain #release freed}, and where the bytes are on another device
     */
    public ArrowBuf buffer() {
        checkThere();
        if (!device.isCpu()) {
            throw new IllegalStateException("Cannot use memory of " + device
                    + " as an Arrow buffer; copy the tensor with to(Device.CPU) first");
        }
        return lease.buffer();
    }

    /**
     * Bytes as a direct buffer, big-endian as any new one, for whoever {@linkplain Hold holds} this.
     *
     * @param offset of the first one, in bytes
     * @throws IndexOutOfBoundsException where they are not within these
     * @throws IllegalStateException where this is {@linkplain #release freed}, and where the CPU cannot read it
     */
    public ByteBuffer view(long offset, int bytes) {
        Objects.checkFromIndexSize(offset, bytes, sizeBytes());
        return RawMemory.view(address() + offset, bytes);
    }

    /**
     * Keeps the bytes until {@link #letGo}, whoever releases this meanwhile; {@link Hold} does both for a block of code.
     *
     * @throws IllegalStateException after {@link #release}
     */
    public void hold() {
        if (holders.getAndUpdate(count -> count < 0 ? count : count + 1) < 0) {
            throw released();
        }
    }

    /** Ends what one {@link #hold} began. */
    public void letGo() {
        if (holders.decrementAndGet() == FREE) {
            cleanable.clean();
        }
    }

    /**
     * Frees the bytes: now, or when the last of those is done who {@linkplain #hold hold} them. Nobody else may hold them from now on; once is enough,
     * more often does no harm.
     */
    public void release() {
        if (holders.updateAndGet(count -> count | FREE) == FREE) {
            cleanable.clean();
        }
    }

    public boolean isReleased() {
        return holders.get() < 0;
    }

    private void checkThere() {
        if (holders.get() == FREE) {
            throw released();
        }
    }

    private IllegalStateException released() {
        return new IllegalStateException(
                "Cannot use storage: its " + sizeBytes() + " bytes were released; keep it until the last use");
    }
}
