package io.github.broadloom.cpu;

import io.github.broadloom.kernels.LoopNest;
import java.util.List;

/**
 * Where in the nest a tile lies, and where in each operand. From one tile to the next it takes additions alone. An
 * instance serves one thread.
 */
final class TileCursor {
    private final int[] order;
    private final long[] pieces;
    private final long[] piece;
    private final int[] formBit;
    private final long[][] stepOf;
    private final long[] offsets;
    private final List<Tiling.Form> forms;
    private final int rowLoop;
    private long tile;
    private int ended;

    /** At tile 0. Behind the operands comes, as another one, the row-major number of the elements. */
    TileCursor(LoopNest nest, Tiling tiling) {
        this.order = tiling.order();
        this.rowLoop = tiling.rowLoop();
        int count = order.length;
        this.pieces = new long[count];
        this.piece = new long[count];
        this.formBit = new int[count];
        this.forms = tiling.forms();
        this.offsets = new long[nest.operands() + 1];
        this.stepOf = new long[count][offsets.length];
        int[] ragged = tiling.ragged();
        for (int i = 0; i < count; i++) {
            int loop = order[i];
            pieces[i] = tiling.pieces(loop);
            for (int bit = 0; bit < ragged.length; bit++) {
                formBit[i] |= ragged[bit] == loop ? 1 << bit : 0;
            }
            long elements = 1;
            for (int inner = loop + 1; inner < nest.rank(); inner++) {
                elements *= nest.size(inner);
            }
            for (int operand = 0; operand < nest.operands(); operand++) {
                stepOf[i][operand] = nest.stride(operand, loop) * tiling.extent(loop);
            }
            stepOf[i][nest.operands()] = elements * tiling.extent(loop);
        }
    }

    void moveTo(long target) {
        if (target == tile + 1) {
            next();
        } else if (target != tile) {
            seek(target);
        }
        tile = target;
    }

    private void next() {
        int i = order.length - 1;
        while (piece[i] == pieces[i] - 1) {
            put(i, 0);
            i--;
        }
        put(i, piece[i] + 1);
    }

    private void seek(long target) {
        long rest = target;
        for (int i = order.length - 1; i >= 0; i--) {
            put(i, rest % pieces[i]);
            rest /= pieces[i];
        }
    }

    private void put(int i, long to) {
        long steps = to - piece[i];
        long[] step = stepOf[i];
        for (int operand = 0; operand < offsets.length; operand++) {
            offsets[operand] += steps * step[operand];
        }
        piece[i] = to;
        ended = to == pieces[i] - 1 ? ended | formBit[i] : ended & ~formBit[i];
    }

    Tiling.Form form() {
        return forms.get(ended);
    }

    /** How many rows a tile of stripes has. */
    int rows() {
        return form().extents()[rowLoop];
    }

    /** Where the tile of an operand begins, in elements from the operand's first. */
    long offset(int operand) {
        return offsets[operand];
    }

    long firstElement() {
        return offsets[offsets.length - 1];
    }
}
