package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Up to 16 MiB are pieces of slabs of 64; what is larger has a region of its own. */
class PagePoolTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final long NEVER = 1_000_000;

    private PagePool pool = new PagePool(200 * MEBIBYTE, 100 * MEBIBYTE, NEVER);

    @AfterEach
    void giveAllBack() {
        pool.clear();
    }

    private Pages fresh(long mebibytes) {
        return pool.takeFresh(mebibytes * MEBIBYTE);
    }

    private MemoryFigures figures() {
        return pool.figures(0);
    }

    private long pooled() {
        return figures().pooledBytes() / MEBIBYTE;
    }

    private long held() {
        return figures().heldBytes() / MEBIBYTE;
    }

    @Test
    void theRegionsFreedLastAreTakenFirst() {
        Pages first = fresh(20);
        Pages second = fresh(20);
        assertThat(figures())
                .isEqualTo(new MemoryFigures(
                        40 * MEBIBYTE, 40 * MEBIBYTE, 0, 200 * MEBIBYTE, 100 * MEBIBYTE, 0, 2, 40 * MEBIBYTE, 0));
        pool.giveBack(first);
        pool.giveBack(second);
        assertThat(pool.takePooled(20 * MEBIBYTE)).isEqualTo(second);
        assertThat(pool.takePooled(20 * MEBIBYTE)).isEqualTo(first);
        assertThat(pool.takePooled(20 * MEBIBYTE)).isNull();
        pool.giveBack(first);
        pool.giveBack(second);
        assertThat(figures().hits()).isEqualTo(2);
    }

    @Test
    void aRegionServesWhoWantsALittleLessAndCountsAsWhatItIs() {
        Pages region = fresh(40);
        pool.giveBack(region);
        assertThat(pool.takePooled(31 * MEBIBYTE)).isNull();
        assertThat(pool.takePooled(41 * MEBIBYTE)).isNull();
        assertThat(pool.takePooled(32 * MEBIBYTE)).isEqualTo(region);
        assertThat(held()).isEqualTo(40);
        pool.giveBack(region);
    }

    /** Else the rest of the gap is nobody's, and the slab is freed with pieces of it still to be had. */
    @Test
    void whatCameBackBetweenLookingAndTakingFreshPagesIsTaken() {
        Pages first = fresh(8);
        assertThat(pool.takePooled(2 * MEBIBYTE)).isNull();
        pool.giveBack(first); // by another thread
        Pages second = fresh(2);
        assertThat(second.address()).isEqualTo(first.address());
        assertThat(pooled()).isEqualTo(6);
        Pages third = fresh(7);
        pool.giveBack(third);
        pool.giveBack(second);
        pool.clear();
        assertThat(pooled()).isZero();
        assertThat(pool.takePooled(2 * MEBIBYTE)).isNull();
    }

    @Test
    void whatOneSizeLeavesAnotherTakes() {
        Pages large = fresh(12);
        pool.giveBack(large);
        Pages small = pool.takePooled(3 * MEBIBYTE);
        Pages rest = pool.takePooled(9 * MEBIBYTE);
        assertThat(small.address()).isEqualTo(large.address());
        assertThat(rest.address()).isEqualTo(small.end());
        pool.giveBack(small);
        pool.giveBack(rest);
        assertThat(pool.takePooled(12 * MEBIBYTE)).isEqualTo(large);
        pool.giveBack(large);
        assertThat(figures().misses()).isEqualTo(1);
    }

    @Test
    void theSmallestGapWithRoomIsTaken() {
        Pages wide = fresh(8);
        Pages between = fresh(1);
        Pages narrow = fresh(4);
        Pages last = fresh(1);
        pool.giveBack(wide);
        pool.giveBack(narrow);
        Pages taken = pool.takePooled(3 * MEBIBYTE);
        assertThat(taken.address()).isEqualTo(narrow.address());
        List.of(between, last, taken).forEach(pool::giveBack);
    }

    @Test
    void aPieceTakesTheFreePagesBeforeItsFreshOnes() {
        Pages first = fresh(2);
        Pages last = fresh(3);
        pool.giveBack(last);
        Pages longer = fresh(5);
        assertThat(longer.address()).isEqualTo(last.address());
        assertThat(figures().freshBytes()).isEqualTo(7 * MEBIBYTE);
        assertThat(pooled()).isZero();
        pool.giveBack(first);
        pool.giveBack(longer);
        assertThat(pooled()).isEqualTo(7);
    }

    @Test
    void whatWaitsLongestGoesWhenThePoolIsFull() {
        Pages oldest = fresh(20);
        Pages large = fresh(60);
        Pages last = fresh(30);
        pool.giveBack(oldest);
        pool.giveBack(large);
        pool.giveBack(last); // 110 of 100
        assertThat(pooled()).isEqualTo(90);
        assertThat(pool.takePooled(20 * MEBIBYTE)).isNull();
        assertThat(pool.takePooled(60 * MEBIBYTE)).isEqualTo(large);
        pool.giveBack(large);
    }

    @Test
    void pagesLargerThanThePoolAreNotKept() {
        pool.giveBack(fresh(101));
        assertThat(pooled()).isZero();
    }

    @Test
    void whatWaitsGivesWayToWhatIsTaken() {
        pool.giveBack(fresh(10));
        pool.giveBack(fresh(90));
        Pages taken = fresh(105);
        assertThat(pooled()).isEqualTo(90); // the slab waited longer
        pool.takeSmall(10 * MEBIBYTE);
        assertThat(pooled()).isZero();
        pool.giveBackSmall(10 * MEBIBYTE);
        pool.giveBack(taken);
    }

    @Test
    void pastTheLimitNothingIsTaken() {
        Pages pages = fresh(150);
        Pages piece = fresh(10);
        assertThatThrownBy(() -> fresh(41)).isInstanceOf(OutOfMemoryException.class);
        assertThatThrownBy(() -> pool.takeSmall(41 * MEBIBYTE))
                .isInstanceOf(OutOfMemoryException.class)
                .hasMessage("Cannot take 42991616 bytes: 167772160 are held and 0 wait, of 209715200");
        assertThat(held()).isEqualTo(160);
        pool.giveBack(piece);
        pool.giveBack(pages);
    }

    @Test
    void aSmallerLimitHoldsAtOnce() {
        List<Pages> pages = List.of(fresh(50), fresh(40));
        pages.forEach(pool::giveBack);
        pool.limitTo(120 * MEBIBYTE, 45 * MEBIBYTE);
        assertThat(pooled()).isEqualTo(40);
        assertThat(figures().limitBytes()).isEqualTo(120 * MEBIBYTE);
        assertThat(figures().poolLimitBytes()).isEqualTo(45 * MEBIBYTE);
    }

    @Test
    void pagesStartAtACacheLineAndHoldWhatIsWritten() {
        for (long mebibytes : new long[] {1, 40}) {
            Pages pages = fresh(mebibytes);
            assertThat(pages.address() % 64).isZero();
            RawMemory.fill(pages.address(), pages.bytes(), (byte) 7);
            assertThat(RawMemory.getByte(pages.end() - 1)).isEqualTo((byte) 7);
            pool.giveBack(pages);
        }
    }

    @Test
    void randomPiecesNeverOverlapNorPassTheLimitAndMostOfThemWereUsedBefore() {
        SplittableRandom random = new SplittableRandom(5);
        List<Pages> lent = new ArrayList<>();
        TreeMap<Long, Long> ranges = new TreeMap<>();
        for (int i = 0; i < 20_000; i++) {
            if (lent.size() > random.nextInt(24)) {
                Pages back = lent.remove(random.nextInt(lent.size()));
                ranges.remove(back.address());
                pool.giveBack(back);
            } else {
                long bytes = SizeClasses.rounded((long) (MEBIBYTE * Math.pow(30, random.nextDouble())));
                Pages taken = pool.takePooled(bytes);
                taken = taken == null ? takeFresh(bytes) : taken;
                if (taken != null) {
                    assertThat(taken.bytes()).isGreaterThanOrEqualTo(bytes);
                    Map.Entry<Long, Long> before = ranges.lowerEntry(taken.end());
                    assertThat(before == null ? 0 : before.getValue()).isLessThanOrEqualTo(taken.address());
                    ranges.put(taken.address(), taken.end());
                    lent.add(taken);
                }
            }
            MemoryFigures figures = figures();
            assertThat(figures.heldBytes() + figures.pooledBytes()).isLessThanOrEqualTo(figures.limitBytes());
            assertThat(figures.heldBytes())
                    .isEqualTo(lent.stream().mapToLong(Pages::bytes).sum());
        }
        assertThat(figures().hits()).isGreaterThan(3 * figures().misses());
        lent.forEach(pool::giveBack);
        pool.clear();
        assertThat(figures().heldBytes() + figures().pooledBytes()).isZero();
    }

    private Pages takeFresh(long bytes) {
        try {
            return pool.takeFresh(bytes);
        } catch (OutOfMemoryException full) {
            return null;
        }
    }

    @Test
    void pagesThatNobodyTakesAreFreedAndTheThreadThatFreesThemEnds() throws InterruptedException {
        pool = new PagePool(100 * MEBIBYTE, 100 * MEBIBYTE, 20);
        pool.giveBack(fresh(2));
        pool.giveBack(fresh(30));
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
