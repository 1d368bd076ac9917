package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StorageTest {
    private static final long MEBIBYTE = 1 << 20;

    @BeforeEach
    void startEmpty() {
        Memory.awaitReleased();
    }

    /** The view of the last row; nothing else keeps the storage. */
    private static Tensor lastRow() {
        Tensor base = Tensors.zeros(Shape.of(4, 1000), DType.INT32);
        base.select(0, 3).copy_(Tensors.arange(1000));
        return base.select(0, 3);
    }

    @Test
    void aViewKeepsItsStorageAndTheLastReferenceFreesIt() {
        Tensor row = lastRow();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        assertThat(Memory.allocatedBytes()).isGreaterThanOrEqualTo(16_000);
        assertThat(row.get(999)).isEqualTo(999L);
        Reference.reachabilityFence(row);
        row = null;
        Memory.awaitReleased();
        assertThat(Memory.allocatedBytes()).isZero();
    }

    @Test
    void aReleaseWaitsForThoseWhoHoldIt() {
        Tensor tensor = Tensors.arange(1_000_000);
        try (Hold outer = Hold.of(tensor)) {
            try (Hold inner = Hold.of(tensor, tensor)) {
                tensor.release();
                assertThat(RawMemory.getLong(tensor.address() + 8 * 999_999)).isEqualTo(999_999);
            }
            assertThat(RawMemory.getLong(tensor.address() + 8 * 999_999)).isEqualTo(999_999);
            assertThat(Memory.allocatedBytes()).isGreaterThanOrEqualTo(8_000_000);
        }
        assertThat(Memory.allocatedBytes()).isZero();
        assertThatThrownBy(tensor::address).hasMessageContaining("8000000 bytes were released");
    }

    @Test
    void whatIsReleasedIsNobodyElsesWhileSomebodyHoldsIt() {
        Tensor tensor = Tensors.arange(10);
        Tensor other = Tensors.arange(10);
        try (Hold held = Hold.of(tensor)) {
            tensor.release();
            assertThat(tensor.storage().isReleased()).isTrue();
            assertThatThrownBy(() -> tensor.get(3)).hasMessageContaining("80 bytes were released");
            assertThatThrownBy(tensor::copy).hasMessageContaining("80 bytes were released");
            assertThatThrownBy(() -> Hold.of(other, tensor)).hasMessageContaining("80 bytes were released");
        }
        other.release(); // which the hold that was refused has let go
        assertThat(Memory.allocatedBytes()).isZero();
    }

    @Test
    void releaseFreesAtOnceAndMoreThanOnceDoesNoHarm() {
        Storage storage = Storage.allocate(5 * MEBIBYTE);
        assertThat(Memory.allocatedBytes()).isGreaterThanOrEqualTo(5 * MEBIBYTE);
        storage.release();
        storage.release();
        assertThat(Memory.allocatedBytes()).isZero();
        assertThat(storage.isReleased()).isTrue();
        assertThatThrownBy(storage::address)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("5242880 bytes were released");
        assertThatThrownBy(storage::buffer).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aFreedBufferIsTakenAgain() {
        Storage first = Storage.allocate(32 * MEBIBYTE);
        long address = first.address();
        first.release();
        Storage second = Storage.allocate(32 * MEBIBYTE - 100);
        assertThat(second.address()).isEqualTo(address);
        assertThat(second.sizeBytes()).isEqualTo(32 * MEBIBYTE - 100);
        second.release();
    }

    @Test
    void aZeroedStorageIsZeroAlsoWhenItsBufferWasUsedBefore() {
        Storage used = Storage.allocate(2 * MEBIBYTE);
        RawMemory.fill(used.address(), 2 * MEBIBYTE, (byte) -1);
        used.release();
        Tensor zeros = Tensors.zeros(Shape.of(MEBIBYTE / 4), DType.INT64);
        assertThat(zeros.toLongArray()).containsOnly(0);
    }

    @Test
    void aBufferThatArrowStillHoldsIsNotTakenAgain() {
        Storage storage = Storage.allocate(4 * MEBIBYTE);
        ArrowBuf held = storage.buffer();
        held.getReferenceManager().retain();
        storage.release();
        Storage other = Storage.allocate(4 * MEBIBYTE);
        assertThat(other.address()).isNotEqualTo(held.memoryAddress());
        other.release();
        held.close();
        assertThat(Memory.allocatedBytes()).isZero();
    }

    @Test
    void aWrappedArrowBufferIsHeldUntilTheTensorIsGone() {
        ArrowBuf buffer = Memory.allocator().buffer(64);
        Storage storage = Storage.wrap(buffer);
        buffer.close();
        assertThat(buffer.refCnt()).isEqualTo(1);
        assertThat(storage.address()).isEqualTo(buffer.memoryAddress());
        storage.release();
        assertThat(Memory.allocatedBytes()).isZero();
    }

    @Test
    void aWrappedSliceGivesAllOfItsMemoryBack() {
        ArrowBuf body = Memory.allocator().buffer(4 * MEBIBYTE);
        Storage storage = Storage.wrap(body.slice(MEBIBYTE, 2 * MEBIBYTE));
        body.close();
        storage.release();
        assertThat(Memory.allocatedBytes()).isZero();
    }

    @Test
    void aWrappedByteBufferLivesAsLongAsAnArrowBufferOverIt() {
        WeakReference<ByteBuffer>[] owner = newReference();
        ArrowBuf slice = sliceOfWrapped(owner);
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        assertThat(owner[0].get()).isNotNull();
        assertThat(slice.getLong(0)).isEqualTo(77);
        assertThat(Memory.allocatedBytes()).isZero(); // it is not ours, and not counted
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static WeakReference<ByteBuffer>[] newReference() {
        return new WeakReference[1];
    }

    private static ArrowBuf sliceOfWrapped(WeakReference<ByteBuffer>[] owner) {
        ByteBuffer direct = ByteBuffer.allocateDirect(32);
        owner[0] = new WeakReference<>(direct);
        Storage storage = Storage.wrap(direct);
        RawMemory.putLong(storage.address() + 8, 77);
        ArrowBuf slice = storage.buffer().slice(8, 8);
        slice.getReferenceManager().retain();
        return slice;
    }

    @Test
    void manyThreadsAllocateAndFreeTheirOwn() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            long mark = t;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 50; i++) {
                    Tensor tensor = Tensors.full(Shape.of(200_000), mark, DType.INT64);
                    assertThat(tensor.copy().toLongArray()).containsOnly(mark);
                    if (i % 2 == 0) {
                        tensor.storage().release();
                    }
                }
            });
            thread.setUncaughtExceptionHandler((failed, failure) -> failures.add(failure));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void aLeakIsReportedWithItsSize() {
        Tensor held = Tensor.of(DType.UINT8, Layout.contiguous(Shape.of(4096)), Storage.allocate(4096));
        assertThatThrownBy(() -> Memory.awaitReleased(50))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("4096 bytes are still allocated");
        Reference.reachabilityFence(held);
    }
}
