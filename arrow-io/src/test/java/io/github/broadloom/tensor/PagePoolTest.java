package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PagePoolTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final long NEVER = 1_000_000;

    private final AtomicLong room = new AtomicLong(Long.MAX_VALUE);
    private PagePool pool = new PagePool(10 * MEBIBYTE, room::get, NEVER);

    @AfterEach
    void giveAllBack() {
        pool.clear();
    }

    private PagePool.Pages fresh(long mebibytes) {
        return pool.takeFresh(mebibytes * MEBIBYTE);
    }

    private long pooled() {
        return pool.counts().pooledBytes() / MEBIBYTE;
    }

    @Test
    void thePagesFreedLastAreTakenFirst() {
        PagePool.Pages first = fresh(2);
        PagePool.Pages second = fresh(2);
        pool.giveBack(first);
        pool.giveBack(second);
        assertThat(pool.takePooled(2 * MEBIBYTE)).isSameAs(second);
        assertThat(pool.takePooled(2 * MEBIBYTE)).isSameAs(first);
        assertThat(pool.takePooled(2 * MEBIBYTE)).isNull();
        assertThat(pool.counts()).isEqualTo(new PagePool.Counts(0, 10 * MEBIBYTE, 2, 2, 4 * MEBIBYTE));
        pool.giveBack(first);
        pool.giveBack(second);
    }

    @Test
    void pagesOfAnotherSizeAreNotTaken() {
        pool.giveBack(fresh(3));
        assertThat(pool.takePooled(2 * MEBIBYTE)).isNull();
        assertThat(pool.takePooled(4 * MEBIBYTE)).isNull();
        assertThat(pooled()).isEqualTo(3);
    }

    @Test
    void whatWaitsLongestGoesWhenThePoolIsFull() {
        PagePool.Pages small = fresh(1);
        PagePool.Pages large = fresh(6);
        PagePool.Pages last = fresh(4);
        pool.giveBack(small);
        pool.giveBack(large);
        pool.giveBack(last); // 11 of 10
        assertThat(pooled()).isEqualTo(10);
        assertThat(pool.takePooled(MEBIBYTE)).isNull();
        assertThat(pool.takePooled(6 * MEBIBYTE)).isSameAs(large);
        pool.giveBack(large);
    }

    @Test
    void pagesLargerThanThePoolAreNotKept() {
        pool.giveBack(fresh(11));
        assertThat(pooled()).isZero();
    }

    @Test
    void thePoolGivesWayToWhatOthersHold() {
        pool.giveBack(fresh(2));
        pool.giveBack(fresh(3));
        room.set(4 * MEBIBYTE);
        pool.giveWay();
        assertThat(pooled()).isEqualTo(3);
        room.set(-1);
        pool.giveWay();
        assertThat(pooled()).isZero();
    }

    @Test
    void freshPagesAreOnlyTakenWhenThePoolGaveWay() {
        pool.giveBack(fresh(5));
        room.set(0);
        pool.giveBack(fresh(1));
        assertThat(pooled()).isZero();
    }

    @Test
    void aSmallerLimitHoldsAtOnce() {
        pool.giveBack(fresh(5));
        pool.giveBack(fresh(4));
        pool.limitTo(4 * MEBIBYTE);
        assertThat(pooled()).isEqualTo(4);
        assertThat(pool.counts().limitBytes()).isEqualTo(4 * MEBIBYTE);
    }

    @Test
    void pagesStartAtACacheLineAndHoldWhatIsWritten() {
        PagePool.Pages pages = fresh(1);
        assertThat(pages.address() % 64).isZero();
        RawMemory.fill(pages.address(), pages.bytes(), (byte) 7);
        assertThat(RawMemory.getByte(pages.address() + MEBIBYTE - 1)).isEqualTo((byte) 7);
        pool.giveBack(pages);
    }

    @Test
    void pagesThatNobodyTakesAreFreedAndTheThreadThatFreesThemEnds() throws InterruptedException {
        pool = new PagePool(10 * MEBIBYTE, room::get, 20);
        pool.giveBack(fresh(2));
        pool.giveBack(fresh(3));
        Thread trimmer = pool.trimmer();
        assertThat(trimmer).isNotNull();
        assertThat(trimmer.isDaemon()).isTrue();
        trimmer.join();
        assertThat(pooled()).isZero();
        assertThat(pool.trimmer()).isNull();
        pool.giveBack(fresh(1));
        assertThat(pool.trimmer()).isNotNull();
    }
}
