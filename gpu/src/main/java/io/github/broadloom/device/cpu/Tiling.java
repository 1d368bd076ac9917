package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.TileKernel;

/**
 * Cuts the iterations of a loop nest into tiles that are boxes: as many whole inner loops as fit, and a piece of the loop
 * around them. So every operand's tile has the same form everywhere, an operand that repeats has the same address
 * again, and no tile crosses the end of a row.
 */
final class Tiling {
    /**
     * What a tile of the widest operand takes of the first-level cache, which every operand's tile, the result's and the
     * memory being copied share: at 8192 bytes three operands fill it, and {@code (x - mean) * inv} takes half as long again.
     */
    private static final int TILE_BYTES = 2048;

    private final LoopNest nest;
    private final int splitLoop;
    private final int innerElements;
    private final long splitSize;
    private final int splitStep;
    private final long pieces;
    private final long tiles;

    /** How the loop that is cut is cut. */
    enum Cut {
        /** In pieces of about equal length. */
        EVEN,
        /** In pieces of a power of two as long as they last, for the aligned blocks of a fold. */
        ALIGNED
    }

    Tiling(LoopNest nest, int widestBytes, Cut cut) {
        this.nest = nest;
        int capacity = Math.min(TileKernel.CAPACITY, TILE_BYTES / widestBytes);
        int inner = 1;
        int loop = nest.rank();
        while (loop > 0 && nest.size(loop - 1) <= capacity / inner) {
            loop--;
            inner *= (int) nest.size(loop);
        }
        this.splitLoop = loop - 1;
        this.innerElements = inner;
        this.splitSize = splitLoop < 0 ? 1 : nest.size(splitLoop);
        this.splitStep = step(capacity / inner, splitSize, inner, cut);
        this.pieces = ceilDiv(splitSize, splitStep);
        long outer = 1;
        for (int d = 0; d < splitLoop; d++) {
            outer *= nest.size(d);
        }
        this.tiles = outer * pieces;
    }

    private static int step(int most, long size, int inner, Cut cut) {
        if (size <= most) {
            return (int) size;
        }
        if (cut == Cut.ALIGNED) {
            return Integer.highestOneBit(most);
        }
        int even = (int) ceilDiv(size, ceilDiv(size, most));
        int packet = inner >= 64 ? 1 : 64 / inner; // whole vectors, but for the last piece
        return Math.min(most, (int) ceilDiv(even, packet) * packet);
    }

    private static long ceilDiv(long a, long b) {
        return (a + b - 1) / b;
    }

    /** How many tiles there are. */
    long tiles() {
        return tiles;
    }

    /** Whole inner iterations per step of the loop that is cut. */
    int innerElements() {
        return innerElements;
    }

    /** The loop that is cut; -1 when one tile holds everything. */
    int splitLoop() {
        return splitLoop;
    }

    /** How many steps of the cut loop a tile takes. */
    int steps(long tile) {
        return (int) Math.min(splitStep, splitSize - (tile % pieces) * splitStep);
    }

    /** The number, in the order of iteration, of a tile's first element. */
    long firstElement(long tile) {
        return ((tile / pieces) * splitSize + (tile % pieces) * splitStep) * innerElements;
    }

    /** Where a tile of an operand begins, in elements from the operand's first. */
    long operandOffset(int operand, long tile) {
        if (splitLoop < 0) {
            return 0;
        }
        long offset = (tile % pieces) * splitStep * nest.stride(operand, splitLoop);
        long outer = tile / pieces;
        for (int loop = splitLoop - 1; loop >= 0; loop--) {
            offset += outer % nest.size(loop) * nest.stride(operand, loop);
            outer /= nest.size(loop);
        }
        return offset;
    }
}
