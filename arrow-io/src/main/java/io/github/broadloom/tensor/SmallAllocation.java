package io.github.broadloom.tensor;

import io.netty.buffer.PooledByteBufAllocatorL;
import io.netty.buffer.UnsafeDirectLittleEndian;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.BufferAllocator;

/** One small Arrow buffer of netty's, which pools them well, for each thread; counted with the pages of large ones. */
final class SmallAllocation extends AllocationManager {
    private static final PooledByteBufAllocatorL NETTY = new PooledByteBufAllocatorL();

    private final PagePool pool;
    private final UnsafeDirectLittleEndian buffer;
    private final long bytes;

    private SmallAllocation(BufferAllocator accounting, PagePool pool, UnsafeDirectLittleEndian buffer, long bytes) {
        super(accounting);
        this.pool = pool;
        this.buffer = buffer;
        this.bytes = bytes;
    }

    /** The allocator has rounded the size and counted it already. */
    static AllocationManager of(BufferAllocator accounting, PagePool pool, long bytes) {
        pool.takeSmall(bytes);
        try {
            UnsafeDirectLittleEndian buffer = NETTY.allocate(bytes);
            return new SmallAllocation(accounting, pool, buffer, bytes);
        } catch (RuntimeException | Error e) {
            pool.giveBackSmall(bytes);
            throw e;
        }
    }

    @Override
    public long getSize() {
        return bytes;
    }

    @Override
    protected long memoryAddress() {
        return buffer.memoryAddress();
    }

    @Override
    protected void release0() {
        buffer.release();
        pool.giveBackSmall(bytes);
    }
}
