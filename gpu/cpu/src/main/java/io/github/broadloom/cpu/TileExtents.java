package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.kernels.LoopNest;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * How far a tile reaches in each loop of a nest. A plain tile takes as many whole inner loops as fit, and a piece of the
 * loop around them. Where an operand's elements lie together in a loop further out, as a transposed one's do, a tile
 * takes a whole cache line of that loop too: otherwise every element would cost a line.
 */
final class TileExtents {
    /**
     * What a plain tile of the widest operand takes of the first-level cache, which every operand's tile, the result's
     * and the memory being copied share: at 4096 bytes {@code (x - mean) * inv} takes a quarter longer.
     */
    private static final int TILE_BYTES = 2048;

    /** What is folded is not stored, and the fold of a tile is called once for more rows. */
    private static final int FOLDED_BYTES = 4096;

    /** Rows of a stripe that a tile has: as many as are folded in one loop. */
    private static final int STRIPE_ROWS = 8;

    /** A tile over several loops is larger, for the runs of the other operands in it are short. */
    private static final int BOX_BYTES = 8192;

    private static final int CACHE_LINE_BYTES = 64;

    private final LoopNest nest;
    private final Tiling.Cut cut;
    private final int[] extents;
    private final TreeSet<Integer> lineLoops = new TreeSet<>();

    private TileExtents(LoopNest nest, Tiling.Cut cut) {
        this.nest = nest;
        this.cut = cut;
        this.extents = new int[nest.rank()];
        Arrays.fill(extents, 1);
    }

    /** The tiles of a nest whose widest operand has elements of {@code widestBytes}. */
    static TileExtents of(LoopNest nest, int widestBytes, Tiling.Cut cut) {
        if (cut == Tiling.Cut.STRIPES) {
            TileExtents stripes = new TileExtents(nest, cut);
            int rows = stripes.rowLoop();
            stripes.lineLoops.add(rows);
            stripes.extents[rows] = Integer.highestOneBit((int) Math.min(STRIPE_ROWS, nest.size(rows)));
            stripes.growFromTheInside(TileKernel.CAPACITY);
            return stripes;
        }
        TileExtents plain = new TileExtents(nest, cut);
        plain.growFromTheInside(capacity(cut == Tiling.Cut.ALIGNED ? FOLDED_BYTES : TILE_BYTES, widestBytes));
        if (cut == Tiling.Cut.ALIGNED) {
            return plain; // its elements come in row-major order
        }
        TileExtents box = new TileExtents(nest, cut);
        int line = CACHE_LINE_BYTES / widestBytes;
        for (int operand = 0; operand < nest.operands(); operand++) {
            int loop = plain.loopOfLines(operand, line);
            if (loop >= 0) {
                box.lineLoops.add(loop);
            }
        }
        if (box.lineLoops.isEmpty()) {
            return plain;
        }
        int capacity = capacity(BOX_BYTES, widestBytes);
        for (int loop : box.lineLoops) {
            box.extents[loop] = (int) Math.min(Math.min(line, nest.size(loop)), capacity / box.count());
        }
        box.growFromTheInside(capacity);
        return box;
    }

    private static int capacity(int bytes, int widestBytes) {
        return Math.min(TileKernel.CAPACITY, bytes / widestBytes);
    }

    int[] extents() {
        return extents.clone();
    }

    /** The loop over the rows of stripes; -1 where there are none. */
    int rowLoop() {
        return cut != Tiling.Cut.STRIPES
                ? -1
                : IntStream.range(0, nest.rank())
                        .filter(loop -> nest.stride(nest.operands() - 1, loop) == 0)
                        .findFirst()
                        .orElseThrow();
    }

    /** The loops that go on first, and whose extents are chosen before those inside: the rows of stripes, and such as have a cache line's worth of iterations for the sake of an operand. In order. */
    TreeSet<Integer> lineLoops() {
        return lineLoops;
    }

    private int count() {
        return Arrays.stream(extents).reduce(1, Math::multiplyExact);
    }

    private void growFromTheInside(int capacity) {
        int outermost = Math.max(0, rowLoop()); // a stripe is of one matrix
        for (int loop = nest.rank() - 1; loop >= outermost; loop--) {
            int inside = 1;
            for (int inner = loop + 1; inner < nest.rank(); inner++) {
                inside *= extents[inner];
            }
            int most = capacity / (count() / extents[loop]);
            if (!lineLoops.contains(loop)) {
                extents[loop] = step(most, nest.size(loop), inside);
            }
            if (extents[loop] < nest.size(loop) && lineLoops.isEmpty()) {
                return;
            }
        }
    }

    /** How many iterations of a loop a tile takes, when there are {@code inside} elements in each. */
    private int step(int most, long size, int inside) {
        if (size <= most) {
            return (int) size;
        }
        if (cut != Tiling.Cut.EVEN) {
            return Integer.highestOneBit(most);
        }
        int even = (int) ceilDiv(size, ceilDiv(size, most));
        int packet = inside >= 64 ? 1 : 64 / inside; // whole vectors, but for the last piece
        return Math.min(most, (int) ceilDiv(even, packet) * packet);
    }

    private static long ceilDiv(long a, long b) {
        return (a + b - 1) / b;
    }

    /**
     * The loop in which an operand's elements share cache lines of which this tile would use but a part; -1 if there is
     * none.
     */
    private int loopOfLines(int operand, int line) {
        int nearest = -1;
        long elements = 1;
        for (int loop = 0; loop < nest.rank(); loop++) {
            long stride = nest.stride(operand, loop);
            elements *= stride == 0 ? 1 : extents[loop];
            if (stride != 0 && (nearest < 0 || stride < nest.stride(operand, nearest))) {
                nearest = loop;
            }
        }
        boolean scattered = nearest >= 0
                && nest.stride(operand, nearest) < line
                && extents[nearest] < Math.min(line, nest.size(nearest))
                && elements > line;
        return scattered ? nearest : -1;
    }
}
