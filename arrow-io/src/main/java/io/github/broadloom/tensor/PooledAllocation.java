package io.github.broadloom.tensor;

import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.netty.NettyAllocationManager;

/** One large Arrow buffer on pages of the pool, which get them back when Arrow's last reference to it is released. */
final class PooledAllocation extends AllocationManager {
    private final PagePool pool;
    private final Pages pages;
    private final long bytes;

    private PooledAllocation(BufferAllocator accounting, PagePool pool, Pages pages, long bytes) {
        super(accounting);
        this.pool = pool;
        this.pages = pages;
        this.bytes = bytes;
    }

    /** What the allocator has counted: the pages may be more. */
    @Override
    public long getSize() {
        return bytes;
    }

    @Override
    protected long memoryAddress() {
        return pages.address();
    }

    @Override
    protected void release0() {
        pool.giveBack(pages);
    }

    /** Makes the buffers of an allocator and all of its children: large ones here, small ones by netty, which pools them well. */
    static final class Factory implements AllocationManager.Factory {
        private final PagePool pool;
        private final GarbageWatch garbage;

        Factory(PagePool pool, GarbageWatch garbage) {
            this.pool = pool;
            this.garbage = garbage;
        }

        /** The allocator has rounded the size and counted it already. */
        @Override
        public AllocationManager create(BufferAllocator accounting, long bytes) {
            if (bytes < SizeClasses.LARGE_BYTES) {
                return SmallAllocation.of(accounting, pool, bytes);
            }
            Pages pages = take(bytes);
            try {
                return new PooledAllocation(accounting, pool, pages, bytes);
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
