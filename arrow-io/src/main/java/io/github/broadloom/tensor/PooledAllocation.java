package io.github.broadloom.tensor;

import io.netty.buffer.PooledByteBufAllocatorL;
import io.netty.buffer.UnsafeDirectLittleEndian;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.netty.NettyAllocationManager;

/** The memory of one Arrow buffer, which goes back to where it came from when Arrow's last reference to it is released. */
final class PooledAllocation extends AllocationManager {
    private final long address;
    private final long bytes;
    private final Runnable giveBack;

    private PooledAllocation(BufferAllocator accounting, long address, long bytes, Runnable giveBack) {
        super(accounting);
        this.address = address;
        this.bytes = bytes;
        this.giveBack = giveBack;
    }

    /** What the allocator has counted: there may be more. */
    @Override
    public long getSize() {
        return bytes;
    }

    @Override
    protected long memoryAddress() {
        return address;
    }

    @Override
    protected void release0() {
        giveBack.run();
    }

    /** Makes the buffers of an allocator and all of its children: large ones of pages of the pool, small ones by netty, which pools them well for each thread. */
    static final class Factory implements AllocationManager.Factory {
        private static final PooledByteBufAllocatorL NETTY = new PooledByteBufAllocatorL();

        private final PagePool pool;
        private final GarbageWatch garbage;

        Factory(PagePool pool, GarbageWatch garbage) {
            this.pool = pool;
            this.garbage = garbage;
        }

        @Override
        public AllocationManager create(BufferAllocator accounting, long bytes) {
            return bytes < SizeClasses.LARGE_BYTES ? small(accounting, bytes) : large(accounting, bytes);
        }

        private AllocationManager small(BufferAllocator accounting, long bytes) {
            pool.takeSmall(bytes);
            try {
                UnsafeDirectLittleEndian buffer = NETTY.allocate(bytes);
                return new PooledAllocation(accounting, buffer.memoryAddress(), bytes, () -> {
                    buffer.release();
                    pool.giveBackSmall(bytes);
                });
            } catch (RuntimeException | Error e) {
                pool.giveBackSmall(bytes);
                throw e;
            }
        }

        private AllocationManager large(BufferAllocator accounting, long bytes) {
            Pages pages = take(bytes);
            try {
                return new PooledAllocation(accounting, pages.address(), bytes, () -> pool.giveBack(pages));
            } catch (RuntimeException | Error e) {
                pool.giveBack(pages);
                throw e;
            }
        }

        private Pages take(long bytes) {
            Pages pages = pool.takePooled(bytes);
            if (pages == null && garbage.collectWhereItPays()) {
                pages = pool.takePooled(bytes);
            }
            return pages == null ? pool.takeFresh(bytes) : pages;
        }

        @Override
        public ArrowBuf empty() {
            return NettyAllocationManager.FACTORY.empty();
        }
    }
}
