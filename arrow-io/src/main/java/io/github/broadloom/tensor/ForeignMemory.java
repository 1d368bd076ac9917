package io.github.broadloom.tensor;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OwnershipTransferResult;
import org.apache.arrow.memory.ReferenceManager;

/**
 * Counts the references to memory that is not ours, such as a direct {@link java.nio.ByteBuffer} or a mapped file. Every Arrow buffer
 * over it refers here, and this refers to its owner, so the memory lasts as long as any of them. No allocator counts it.
 */
final class ForeignMemory implements ReferenceManager {
    @SuppressWarnings("unused") // kept, so that the memory is
    private final Object owner;

    private final long sizeBytes;
    private final AtomicInteger references = new AtomicInteger(1);

    private ForeignMemory(Object owner, long sizeBytes) {
        this.owner = owner;
        this.sizeBytes = sizeBytes;
    }

    /** An Arrow buffer over the bytes from {@code address}, which are there as long as {@code owner} is reachable. */
    static ArrowBuf wrap(long address, long bytes, Object owner) {
        return new ArrowBuf(new ForeignMemory(owner, bytes), null, bytes, address);
    }

    @Override
    public int getRefCount() {
        return references.get();
    }

    @Override
    public boolean release() {
        return release(1);
    }

    @Override
    public boolean release(int decrement) {
        int left = references.addAndGet(-decrement);
        if (left < 0) {
            throw new IllegalStateException("Cannot release buffer: it was released " + -left + " times too often");
        }
        return left == 0;
    }

    @Override
    public void retain() {
        retain(1);
    }

    @Override
    public void retain(int increment) {
        references.addAndGet(increment);
    }

    @Override
    public ArrowBuf retain(ArrowBuf source, BufferAllocator target) {
        retain();
        return deriveBuffer(source, 0, source.capacity());
    }

    @Override
    public ArrowBuf deriveBuffer(ArrowBuf source, long index, long length) {
        return new ArrowBuf(this, null, length, source.memoryAddress() + index);
    }

    @Override
    public OwnershipTransferResult transferOwnership(ArrowBuf source, BufferAllocator target) {
        ArrowBuf moved = retain(source, target);
        return new OwnershipTransferResult() {
            @Override
            public boolean getAllocationFit() {
                return true;
            }

            @Override
            public ArrowBuf getTransferredBuffer() {
                return moved;
            }
        };
    }

    @Override
    public BufferAllocator getAllocator() {
        return Memory.allocator();
    }

    @Override
    public long getSize() {
        return sizeBytes;
    }

    @Override
    public long getAccountedSize() {
        return 0;
    }
}
