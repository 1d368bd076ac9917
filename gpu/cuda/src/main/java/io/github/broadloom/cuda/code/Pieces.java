package io.github.broadloom.cuda.code;

import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Cuts loops that are too many for 32-bit indices into pieces of equal structure, each a launch of the same kernel. Loops are cut from
 * the outermost inwards; where it can, a cut falls on a multiple of 16 iterations, so that all pieces are aligned as the whole is.
 */
final class Pieces {
    private static final long ALIGNED = 16;

    /**
     * One part of an iteration.
     *
     * @param sizes the iterations of each loop
     * @param offsets where each stream begins, in elements from its first
     */
    record Piece(long[] sizes, long[] offsets) {
        long elements() {
            return Shape.of(sizes).numel();
        }
    }

    private final Loops loops;
    private final long limit;
    private final List<Piece> pieces = new ArrayList<>();

    private Pieces(Loops loops, long limit) {
        this.loops = loops;
        this.limit = limit;
    }

    /** The pieces, each of at most {@code limit} iterations, in which no stream spans more than {@code limit} elements. */
    static List<Piece> of(Loops loops, long limit) {
        Pieces cut = new Pieces(loops, limit);
        cut.cut(new Piece(loops.sizes(), new long[loops.streams()]), 0);
        return cut.pieces;
    }

    private void cut(Piece piece, int loop) {
        if (fits(piece.sizes())) {
            pieces.add(piece);
            return;
        }
        long size = piece.sizes()[loop];
        long step = longest(piece.sizes(), loop);
        for (long from = 0; from < size; from += step) {
            long[] sizes = piece.sizes().clone();
            sizes[loop] = Math.min(step, size - from);
            long[] offsets = piece.offsets().clone();
            for (int k = 0; k < offsets.length; k++) {
                offsets[k] += from * loops.strides()[k][loop];
            }
            cut(new Piece(sizes, offsets), loop + 1);
        }
    }

    private boolean fits(long[] sizes) {
        return Shape.of(sizes).numel() <= limit
                && Arrays.stream(loops.strides()).allMatch(strides -> span(sizes, strides) <= limit);
    }

    /** How far the elements of a stream lie apart, from the first to behind the last. */
    private static long span(long[] sizes, long[] strides) {
        return IntStream.range(0, sizes.length)
                .mapToLong(loop -> (sizes[loop] - 1) * strides[loop])
                .reduce(1, Long::sum);
    }

    /** The most iterations of a loop that fit; 1 where not even one does, so that the next loop is cut. */
    private long longest(long[] sizes, int loop) {
        long low = 1;
        long high = sizes[loop];
        long[] tried = sizes.clone();
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            tried[loop] = middle;
            if (fits(tried)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low >= ALIGNED ? low / ALIGNED * ALIGNED : low;
    }
}
