package io.github.broadloom.tensor;

import io.github.broadloom.tensor.Blocks.Block;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ReferenceManager;

/** The memory of a buffer that Arrow asked for, which goes back to where it came from when Arrow's last reference to it is released. */
final class PooledAllocation extends AllocationManager {
    private final Block block;
    private final long bytes;

    private PooledAllocation(BufferAllocator accounting, Block block, long bytes) {
        super(accounting);
        this.block = block;
        this.bytes = bytes;
    }

    /** What the allocator has counted: there may be more. */
    @Override
    public long getSize() {
        return bytes;
    }

    @Override
    protected long memoryAddress() {
        return block.address();
    }

    @Override
    protected void release0() {
        block.giveBack().run();
    }

    /** Makes the buffers of an allocator and of all its children. */
    record Factory(Blocks blocks) implements AllocationManager.Factory {
        @Override
        public AllocationManager create(BufferAllocator accounting, long bytes) {
            Block block = blocks.take(bytes);
            try {
                return new PooledAllocation(accounting, block, bytes);
            } catch (RuntimeException | Error e) {
                block.giveBack().run();
                throw e;
            }
        }

        @Override
        public ArrowBuf empty() {
            return new ArrowBuf(ReferenceManager.NO_OP, null, 0, 0);
        }
    }
}
