package io.github.broadloom.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.device.DeviceSettings;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@WithFakeGpu
class ArenaTest extends OpenedGpu {
    private static final long MIB = 1 << 20;

    @Test
    void whatIsReleasedIsLentAgain() {
        DeviceBlock first = gpu().arena().take(1000, null);
        first.release();
        DeviceBlock second = gpu().arena().take(1001, null);
        assertThat(second.address()).isEqualTo(first.address());
        second.release();
        assertThat(driver.calls("cuMemAlloc")).isOne();
        assertThat(gpu().arena().figures().reuses()).isOne();
    }

    @Test
    void releasingTwiceLendsOnce() {
        DeviceBlock first = gpu().arena().take(1000, null);
        first.release();
        first.release();
        DeviceBlock second = gpu().arena().take(1000, null);
        DeviceBlock third = gpu().arena().take(1000, null);
        assertThat(third.address()).isNotEqualTo(second.address());
        first.release(); // is no owner any more
        DeviceBlock fourth = gpu().arena().take(1000, null);
        assertThat(fourth.address()).isNotIn(second.address(), third.address());
        second.release();
        third.release();
        fourth.release();
        assertThat(gpu().arena().figures().usedBytes()).isZero();
    }

    @Test
    void aMuchLargerBlockIsNotWasted() {
        DeviceBlock large = gpu().arena().take(100 * MIB, null);
        large.release();
        DeviceBlock small = gpu().arena().take(MIB, null);
        assertThat(small.address()).isNotEqualTo(large.address());
        small.release();
    }

    @Test
    void noBytesHaveAnAddressToo() {
        DeviceBlock nothing = gpu().arena().take(0, null);
        assertThat(nothing.address()).isNotZero();
        nothing.release();
    }

    @Test
    void aBlockThatAnotherLaneMayStillUseWaitsForIt() {
        driver.deferWork();
        try (Lane one = gpu().lane();
                Lane other = gpu().lane()) {
            DeviceBlock used = one.allocate(MIB);
            one.fill(used.address(), (byte) 1, MIB);
            used.release();
            DeviceBlock taken = other.allocate(MIB);
            assertThat(taken.address()).isNotEqualTo(used.address());
            one.synchronize();
            DeviceBlock next = other.allocate(MIB);
            assertThat(next.address()).isEqualTo(used.address());
            taken.release();
            next.release();
        }
    }

    @Test
    void aLaneHasItsOwnBlockBackAtOnce() {
        driver.deferWork();
        ByteBuffer result = floats(1, 0);
        try (Lane lane = gpu().lane()) {
            DeviceBlock first = lane.allocate(4);
            lane.fill(first.address(), (byte) 1, 4);
            first.release();
            DeviceBlock second = lane.allocate(4);
            assertThat(second.address()).isEqualTo(first.address());
            lane.fill(second.address(), (byte) 2, 4);
            lane.download(second.address(), address(result), 4);
            second.release();
        }
        assertThat(result.getInt(0)).isEqualTo(0x02020202);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theBudgetEndsWithTheFigures(boolean ofTheDevice) {
        long limitBytes = 4 * MIB;
        Gpu gpu = ofTheDevice ? gpu() : withLimit(limitBytes);
        if (ofTheDevice) {
            driver.memoryLimit(limitBytes);
        }
        DeviceBlock held = gpu.arena().take(2 * MIB, null);
        assertThatThrownBy(() -> gpu.arena().take(4 * MIB, null))
                .isInstanceOf(OutOfDeviceMemoryException.class)
                .hasMessageStartingWith(
                        "Cannot allocate 4194304 bytes on cuda:0: 2097152 bytes are in use, the budget is ")
                .hasMessageEndingWith("use smaller chunks, release tensors that live there, or raise"
                        + " -Dbroadloom.cuda.memory.limit");
        held.release();
        DeviceBlock later = gpu.arena().take(4 * MIB, null); // a size that is not kept: what is kept makes room
        later.release();
        if (!ofTheDevice) {
            gpu.close();
        }
    }

    private static Gpu withLimit(long bytes) {
        System.setProperty(DeviceSettings.CUDA_MEMORY.name(), Long.toString(bytes));
        try {
            return Gpu.open(0, new HostCompiler()::compile);
        } finally {
            System.clearProperty(DeviceSettings.CUDA_MEMORY.name());
        }
    }

    @Test
    void theBudgetIsMostOfWhatIsFreeAtFirst() {
        driver.memoryLimit(1000 * MIB);
        DeviceBlock others = gpu().arena().take(500 * MIB, null);
        Gpu second = Gpu.open(0, new HostCompiler()::compile);
        assertThat(second.arena().figures().budgetBytes()).isEqualTo(450 * MIB);
        others.release();
        second.close();
    }

    @Test
    void memoryThatALaneWillReleaseIsWaitedFor() {
        driver.deferWork();
        driver.memoryLimit(4 * MIB);
        try (Lane one = gpu().lane();
                Lane other = gpu().lane()) {
            DeviceBlock used = one.allocate(2 * MIB);
            one.fill(used.address(), (byte) 1, 2 * MIB);
            used.release();
            DeviceBlock taken = other.allocate(4 * MIB);
            assertThat(one.isBusy()).isFalse();
            taken.release();
        }
    }
}
