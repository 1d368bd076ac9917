package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class MemoryMeterTest {
    @Test
    void thePeakIsTheMostThatWasHeldAtATime() {
        try (MemoryMeter meter = MemoryMeter.begin()) {
            Storage first = Storage.allocate(1000);
            Storage.allocate(500).release();
            Storage second = Storage.allocate(300);
            assertThat(meter.heldBytes()).isEqualTo(1300);
            assertThat(meter.peakBytes()).isEqualTo(1500);
            first.release();
            first.release();
            second.release();
            assertThat(meter.heldBytes()).isZero();
            assertThat(meter.peakBytes()).isEqualTo(1500);
        }
    }

    @Test
    void anArrowBufferCountsAndMemoryThatIsNotOursDoesNot() {
        try (MemoryMeter meter = MemoryMeter.begin();
                var buffer = Memory.allocator().buffer(4096)) {
            Storage foreign = Storage.wrap(ByteBuffer.allocateDirect(100));
            assertThat(meter.peakBytes()).isZero();
            Storage shared = Storage.wrap(buffer);
            assertThat(meter.heldBytes()).isEqualTo(4096);
            shared.release();
            foreign.release();
            assertThat(meter.heldBytes()).isZero();
        }
    }

    @Test
    void whatAnotherThreadTakesDoesNotCountAndWhatItFreesDoes() throws InterruptedException {
        Storage before = Storage.allocate(10_000);
        try (MemoryMeter meter = MemoryMeter.begin()) {
            Storage mine = Storage.allocate(2000);
            Thread other = new Thread(() -> {
                Storage.allocate(7000).release();
                mine.release();
            });
            other.start();
            other.join();
            before.release();
            assertThat(meter.heldBytes()).isZero();
            assertThat(meter.peakBytes()).isEqualTo(2000);
        }
    }

    @Test
    void whatIsHeldForOthersCountsAndWhatIsMadeForThemDoesNot() {
        try (MemoryMeter meter = MemoryMeter.begin()) {
            Storage shared = MemoryMeter.uncounted(() -> Storage.allocate(5000));
            meter.hold(600);
            Storage own = Storage.allocate(40);
            assertThat(meter.peakBytes()).isEqualTo(640);
            shared.release();
            own.release();
            assertThat(meter.heldBytes()).isEqualTo(600);
            meter.letGo(600);
            assertThat(meter.heldBytes()).isZero();
        }
    }

    @Test
    void afterTheEndNothingCounts() {
        MemoryMeter meter = MemoryMeter.begin();
        meter.close();
        Storage.allocate(100).release();
        assertThat(meter.peakBytes()).isZero();
        MemoryMeter next = MemoryMeter.begin();
        meter.close(); // not the one that counts
        Storage.allocate(100).release();
        assertThat(next.peakBytes()).isEqualTo(100);
        next.close();
    }

    @Test
    void largeArraysCountUntilTheyAreDropped() {
        try (MemoryMeter meter = MemoryMeter.begin()) {
            MemoryMeter.array(MemoryMeter.LEAST_ARRAY_BYTES);
            long before = MemoryMeter.arrayBytes();
            MemoryMeter.array(1 << 20);
            MemoryMeter.array(MemoryMeter.LEAST_ARRAY_BYTES - 1); // small
            assertThat(meter.heldBytes()).isEqualTo(MemoryMeter.LEAST_ARRAY_BYTES + (1 << 20));
            MemoryMeter.dropArrays(before);
            assertThat(meter.heldBytes()).isEqualTo(MemoryMeter.LEAST_ARRAY_BYTES);
            assertThat(meter.peakBytes()).isEqualTo(MemoryMeter.LEAST_ARRAY_BYTES + (1 << 20));
        }
        MemoryMeter.array(1 << 20); // nobody counts
        assertThat(MemoryMeter.arrayBytes()).isZero();
    }
}
