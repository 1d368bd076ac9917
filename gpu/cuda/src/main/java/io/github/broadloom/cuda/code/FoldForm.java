package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.FoldSource.Memory;
import io.github.broadloom.cuda.code.FoldSource.Operand;
import io.github.broadloom.kernels.reduce.PairwiseTree;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * How the threads share the work of a fold. A team of lanes folds a line, or a range of one, and reads it in steps of {@link #step}
 * values: packets of neighbours in memory, several of them in flight.
 *
 * @param direction where a packet's neighbours lie
 * @param leaf what a node is made of first
 * @param lanes of a team: a power of two up to a warp; with {@link Direction#ACROSS} 1
 * @param width values of a packet: a power of two
 * @param unroll packets, or blocks of moments, in flight for each lane: a power of two
 */
record FoldForm(Direction direction, Leaf leaf, int lanes, int width, int unroll) {
    static final int WARP = 32;

    /** As many bytes in flight for each thread hide the latency of memory. */
    static final int BYTES_IN_FLIGHT = 64;

    /** So many bytes of registers a thread may keep for what it loads. */
    static final int MOST_BYTES = 256;

    static final int MOST_UNROLLED = 8;

    /** Across lines packets are shorter, because every value has accumulators of its own in registers. */
    private static final int ACROSS_BYTES = 8;

    private static final int MOST_COLUMNS = 4;

    /** Each with a stack in registers; with more, a multiprocessor has room for one block of threads only. */
    private static final int MOST_STACKS = 2;

    /** Below this the lanes of a warp do not fill a sector of memory. */
    private static final int FEWEST_COLUMNS = 8;

    /** So many threads keep every multiprocessor busy. */
    static final long ENOUGH_THREADS = 1 << 17;

    /** More than these are split even where there are threads enough: the stack of a team has a level for each digit. */
    private static final int MOST_LEVEL = 16;

    /** Columns have a stack for each of them in every lane: by how many numbers are in a level of it, 1, 2 or more. */
    private static final int[] MOST_LEVEL_ACROSS = {9, 7, 6};

    /** Numbers of accumulators that are made before they are joined: they are in registers. */
    private static final int MOST_NUMBERS = 8;

    /** A team that takes so few steps alone is done before a second launch would be. */
    private static final int FEW_STEPS = 16;

    /** So many steps are worth a node in memory. */
    private static final int FEWEST_STEPS = 4;

    /** Where the neighbours of a packet, and of neighbouring lanes, lie. */
    enum Direction {
        /** Along a line: they become one result. */
        ALONG,
        /** Across lines: each becomes a result of its own. */
        ACROSS
    }

    /** What the tree stands on. */
    enum Leaf {
        VALUE,
        /** Blocks of {@link PairwiseTree#BLOCK} neighbours, each folded in two passes, and single values behind the last. */
        MOMENTS
    }

    /**
     * The best form for a source.
     *
     * @param granule a power of two; every part of a line that a team folds, and that has so many values, begins at a multiple of it
     */
    static FoldForm of(FoldSource source, FoldType type, Leaf leaf, long granule) {
        if (leaf == Leaf.MOMENTS) {
            return MomentBlocksText.form(type, (int) Math.min(granule, width(source, true)), source.length());
        }
        return isAcross(source) ? across(source, type) : along(source, type, granule);
    }

    /** The form for a line near to a team of so many lanes; blocks of moments take a warp. */
    static FoldForm near(FoldSource source, FoldType type, Leaf leaf, int lanes) {
        FoldForm form = leaf == Leaf.MOMENTS
                ? of(source, type, leaf, Long.MIN_VALUE >>> 1)
                : along(source, type, Long.MIN_VALUE >>> 1);
        return new FoldForm(Direction.ALONG, leaf, lanes, form.width, form.unroll);
    }

    /** The form in which the values of a line, each of so many bytes, are written in packets of at most that width. */
    static FoldForm written(FoldSource source, int lanes, int bytes, int width) {
        int packet = Math.min(width, width(source, true));
        long most = Math.min(BYTES_IN_FLIGHT / ((long) bytes * packet), source.length() / ((long) lanes * packet));
        int unroll = (int) Long.highestOneBit(Math.max(1, Math.min(MOST_UNROLLED, most)));
        return new FoldForm(Direction.ALONG, Leaf.VALUE, lanes, packet, unroll);
    }

    private static boolean isAcross(FoldSource source) {
        long unitAlong = bytes(source, true);
        long unitAcross = bytes(source, false);
        if (unitAcross != unitAlong) {
            return unitAcross > unitAlong && source.innermost(false) >= FEWEST_COLUMNS;
        }
        return source.length() < WARP && source.innermost(false) >= WARP;
    }

    /** What the operands have in memory for one step in the innermost loop, where that is a step to the neighbour. */
    private static long bytes(FoldSource source, boolean along) {
        return source.operands().stream()
                .filter(operand -> operand.innermost(along) == 1)
                .mapToLong(Operand::bytes)
                .sum();
    }

    private static FoldForm across(FoldSource source, FoldType type) {
        int most = type.components() > 1 ? 1 : type.isExact() ? MOST_COLUMNS : MOST_STACKS;
        int width = Math.min(most, width(source, false));
        int unroll = unroll(source, type, false, width);
        return new FoldForm(Direction.ACROSS, Leaf.VALUE, 1, width, unroll);
    }

    private static FoldForm along(FoldSource source, FoldType type, long granule) {
        int width = type.isMoments() ? 1 : (int) Math.min(granule, width(source, true));
        int unroll = unroll(source, type, true, width);
        long lanes = Long.highestOneBit(Math.max(1, source.length() / ((long) width * unroll)));
        return new FoldForm(Direction.ALONG, Leaf.VALUE, (int) Math.min(WARP, lanes), width, unroll);
    }

    private static int width(FoldSource source, boolean along) {
        long inner = Math.max(1, source.innermost(along));
        int loops = along ? source.foldedSizes().length : source.keptSizes().length;
        int width = along ? PointwiseLaunches.PACKET_BYTES : ACROSS_BYTES;
        boolean packets = false;
        for (Operand operand : source.operands()) {
            long step = operand.innermost(along);
            if (step != 0 && step != 1) {
                return 1;
            }
            packets |= step == 1;
            while (step == 1 && !fits(operand, width, along)) {
                width /= 2;
            }
        }
        boolean ragged = !along || loops > 1; // a single loop along a line ends with single values
        while (ragged && inner % width != 0 || width > inner) {
            width /= 2;
        }
        return packets ? width : 1;
    }

    private static boolean fits(Operand operand, int width, boolean along) {
        int bytes = operand.bytes() * width;
        if (bytes > (along ? PointwiseLaunches.PACKET_BYTES : ACROSS_BYTES) || operand.alignment() < bytes) {
            return false;
        }
        return aligned(operand.kept(), !along, width) && aligned(operand.folded(), along, width);
    }

    /** Whether every step, maybe but the innermost, leads from packet to packet. */
    private static boolean aligned(long[] strides, boolean innerIsUnit, int width) {
        return Arrays.stream(strides, 0, innerIsUnit ? strides.length - 1 : strides.length)
                .allMatch(stride -> stride % width == 0);
    }

    /** What other threads read, too, mostly comes out of a cache and does not count, unless there is nothing else. */
    private static int unroll(FoldSource source, FoldType type, boolean along, int width) {
        long all = 0;
        long readOnce = 0;
        for (Operand operand : source.operands()) {
            boolean packet = operand.innermost(along) == 1;
            long bytes = operand.memory() == Memory.REGISTER ? 0 : (long) operand.bytes() * (packet ? width : 1);
            all += bytes;
            readOnce += operand.isReadOnce() ? bytes : 0;
        }
        long counted = Math.max(1, readOnce == 0 ? all : readOnce);
        long wanted = Math.min(BYTES_IN_FLIGHT / counted, MOST_BYTES / Math.max(1, all));
        long most = along ? source.length() / width : source.length();
        int fit = type.isExact() || !along ? MOST_UNROLLED : MOST_NUMBERS / type.components();
        return (int) Long.highestOneBit(Math.max(1, Math.min(fit, Math.min(wanted, most))));
    }

    /** The same where teams take different numbers of steps: those of one warp, which shuffle together, may not. */
    FoldForm ofWholeWarps() {
        return lanes == 1 ? this : new FoldForm(direction, leaf, WARP, width, unroll);
    }

    /** How many of a line's values a team takes where one team for each would take too long: 2 to that power. */
    OptionalInt cut(FoldType type, long lines, long length) {
        int numbers = type.isExact() ? 1 : Math.min(MOST_LEVEL_ACROSS.length, type.components() * columns());
        int most = direction == Direction.ACROSS ? MOST_LEVEL_ACROSS[numbers - 1] : MOST_LEVEL;
        long threads = lines / columns() * lanes;
        int level = most;
        int least = Long.SIZE - Long.numberOfLeadingZeros((long) step() * FEWEST_STEPS - 1);
        while (level > least && threads * CudaLaunch.ceilDiv(length, 1L << level) < ENOUGH_THREADS) {
            level--;
        }
        boolean enough = threads >= ENOUGH_THREADS && length >>> most <= 1;
        boolean few = length <= Math.max(1L << level, (long) FEW_STEPS * step());
        return enough || few ? OptionalInt.empty() : OptionalInt.of(level);
    }

    /** The levels of a stack that takes a number of values of so many binary digits: a few more, so that there are fewer kernels. */
    int levels(int digits) {
        int atLeast = Math.max(Math.max(1, digits), Integer.numberOfTrailingZeros(step()) + 1);
        return (atLeast + 1) / 2 * 2;
    }

    /** Whether a team has as many lanes as a stack can have levels, so that each has the node of one. */
    boolean isWarp() {
        return lanes == WARP;
    }

    int step() {
        if (leaf == Leaf.MOMENTS) {
            return PairwiseTree.BLOCK * unroll;
        }
        return direction == Direction.ALONG ? lanes * width * unroll : unroll;
    }

    int columns() {
        return direction == Direction.ACROSS ? width : 1;
    }

    int packet() {
        return direction == Direction.ALONG ? width : 1;
    }
}
