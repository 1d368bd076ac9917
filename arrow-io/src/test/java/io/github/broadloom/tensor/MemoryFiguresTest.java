package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MemoryFiguresTest {
    private static final long MEBIBYTE = 1 << 20;

    @BeforeEach
    void startEmpty() {
        Memory.awaitReleased();
        Memory.trim();
    }

    @Test
    void aBufferIsFreshThenHeldThenPooledThenTakenAgain() {
        MemoryFigures before = Memory.figures();
        Storage storage = Storage.allocate(8 * MEBIBYTE);
        MemoryFigures held = Memory.figures();
        assertThat(held.heldBytes()).isEqualTo(8 * MEBIBYTE);
        assertThat(held.pooledBytes()).isZero();
        assertThat(held.misses()).isEqualTo(before.misses() + 1);
        assertThat(held.freshBytes()).isEqualTo(before.freshBytes() + 8 * MEBIBYTE);
        storage.release();
        MemoryFigures pooled = Memory.figures();
        assertThat(pooled.heldBytes()).isZero();
        assertThat(pooled.pooledBytes()).isEqualTo(8 * MEBIBYTE);
        Storage.allocate(8 * MEBIBYTE - 1).release();
        MemoryFigures again = Memory.figures();
        assertThat(again.hits()).isEqualTo(before.hits() + 1);
        assertThat(again.misses()).isEqualTo(held.misses());
        assertThat(again.peakBytes()).isGreaterThanOrEqualTo(8 * MEBIBYTE);
        Memory.trim();
        assertThat(Memory.figures().pooledBytes()).isZero();
    }

    @Test
    void theBuffersOfChildAllocatorsComeFromThePoolAndGoBackToIt() {
        long hits = Memory.figures().hits();
        try (BufferAllocator child = Memory.allocator().newChildAllocator("child", 0, Long.MAX_VALUE);
                BufferAllocator grandchild = child.newChildAllocator("grandchild", 0, Long.MAX_VALUE)) {
            long address;
            try (ArrowBuf buffer = grandchild.buffer(3 * MEBIBYTE)) {
                address = buffer.memoryAddress();
                assertThat(grandchild.getAllocatedMemory()).isEqualTo(3 * MEBIBYTE);
                assertThat(Memory.allocatedBytes()).isEqualTo(3 * MEBIBYTE);
            }
            Storage storage = Storage.allocate(3 * MEBIBYTE);
            assertThat(storage.address()).isEqualTo(address);
            assertThat(Memory.figures().hits()).isEqualTo(hits + 1);
            storage.release();
        }
    }

    @Test
    void aRegionThatIsLargerThanWhatItIsLentForCountsAsItself() {
        Storage.allocate(40 * MEBIBYTE).release();
        Storage less = Storage.allocate(36 * MEBIBYTE);
        assertThat(Memory.figures().heldBytes()).isEqualTo(40 * MEBIBYTE);
        less.release();
        assertThat(Memory.figures().heldBytes()).isZero();
    }

    @Test
    void smallBuffersAreCountedAsHeldAndNotAsPooled() {
        Storage storage = Storage.allocate(4096);
        assertThat(Memory.figures().heldBytes()).isEqualTo(4096);
        storage.release();
        assertThat(Memory.figures().pooledBytes()).isZero();
    }

    @Test
    void releasingATensorReleasesItsViews() {
        Tensor tensor = Tensors.zeros(2, 3);
        Tensor row = tensor.select(0, 1);
        tensor.release();
        assertThat(row.storage().isReleased()).isTrue();
        assertThat(Memory.allocatedBytes()).isZero();
    }

    @Test
    void figuresReadAsASentenceInMebibytes() {
        MemoryFigures one = new MemoryFigures(
                3 * MEBIBYTE, 4 * MEBIBYTE, MEBIBYTE / 2, 64 * MEBIBYTE, 32 * MEBIBYTE, 5, 2, 6 * MEBIBYTE, 1);
        assertThat(one)
                .hasToString("3.0 MiB held (at most 4.0 MiB) and 0.5 MiB pooled, of 64.0 MiB; pool of 32.0 MiB:"
                        + " 5 hits, 2 misses (6.0 MiB of fresh pages), 1 collections");
        assertThat(one.plus(MemoryFigures.NONE)).isEqualTo(one);
        assertThat(one.plus(one).freshBytes()).isEqualTo(12 * MEBIBYTE);
    }
}
