package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.Pieces.Piece;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Which family of kernels computes a pointwise result, and how many neighbours it loads and stores at once: chosen here, once, outside
 * the kernel, from the strides and the alignment of all pieces.
 *
 * @param family the kernels
 * @param vector the elements of a packet; a power of two
 */
record PointwisePath(Family family, int vector) {
    /** How the result's elements are numbered, loaded and stored. */
    enum Family {
        /** Packets of the result in memory order; operands that lie as it does come in packets, others element by element. */
        FLAT,
        /** Packets that end with the innermost loop, in which every operand steps by 0 or 1. */
        INNER,
        /** Element by element, any strides. */
        GENERAL,
        /** Squares that are read along another loop than the innermost, turned in shared memory, and written along the innermost. */
        TILED
    }

    static final int PACKET_BYTES = 16;

    /** What is worth a packet: below, the flat family with full packets is the better choice. */
    private static final int WORTHWHILE_BYTES = 8;

    private static final int SQUARE = 16;

    /** The path, for addresses of the streams that powers of two divide. */
    static PointwisePath of(Loops loops, List<Piece> pieces, int[] alignments) {
        int[] aligned = aligned(loops, pieces, alignments);
        if (!TransposePlan.turned(loops).isEmpty() && isLargeEnough(loops)) {
            return new PointwisePath(Family.TILED, TransposePlan.wordElements(loops, pieces, aligned));
        }
        boolean dense = loops.isDense(loops.result());
        int flat = dense ? width(loops, aligned, loops::isDense) : 1;
        int inner = innerWidth(loops, pieces, aligned);
        boolean single = loops.rank() == 1;
        boolean worthwhile = inner * widest(loops, k -> loops.innerStride(k) == 1) >= WORTHWHILE_BYTES;
        if (inner > 1 && !single && (worthwhile || inner >= flat)) {
            return new PointwisePath(Family.INNER, inner);
        }
        return flat > 1 ? new PointwisePath(Family.FLAT, flat) : new PointwisePath(Family.GENERAL, 1);
    }

    private static boolean isLargeEnough(Loops loops) {
        return loops.sizes()[loops.inner()] >= SQUARE && loops.sizes()[TransposePlan.turnedLoop(loops)] >= SQUARE;
    }

    /** The bytes to which every piece of a stream is aligned. */
    private static int[] aligned(Loops loops, List<Piece> pieces, int[] alignments) {
        int[] aligned = alignments.clone();
        for (Piece piece : pieces) {
            for (int k = 0; k < aligned.length; k++) {
                long offset = piece.offsets()[k] * loops.bytes(k);
                aligned[k] = (int) Math.min(aligned[k], offset == 0 ? PACKET_BYTES : Long.lowestOneBit(offset));
            }
        }
        return aligned;
    }

    private static int innerWidth(Loops loops, List<Piece> pieces, int[] aligned) {
        boolean steps = IntStream.range(0, loops.streams()).anyMatch(k -> loops.innerStride(k) > 1);
        if (steps || loops.innerStride(loops.result()) != 1) {
            return 1;
        }
        int width = width(loops, aligned, k -> loops.innerStride(k) == 1);
        while (width > 1 && !dividesLoops(loops, pieces, width)) {
            width /= 2;
        }
        return width;
    }

    private static boolean dividesLoops(Loops loops, List<Piece> pieces, int width) {
        boolean divides = pieces.stream().allMatch(piece -> piece.sizes()[loops.inner()] % width == 0);
        for (int k = 0; k < loops.streams(); k++) {
            for (int loop = 0; loop < loops.inner() && loops.innerStride(k) == 1; loop++) {
                divides &= loops.strides()[k][loop] % width == 0;
            }
        }
        return divides;
    }

    /** The most elements that fit a packet of each of the streams and lie aligned. */
    private static int width(Loops loops, int[] aligned, IntPredicate inPackets) {
        int width = PACKET_BYTES / widest(loops, inPackets);
        for (int k = 0; k < loops.streams(); k++) {
            if (inPackets.test(k) && !loops.isConstant(k)) {
                width = Math.min(width, aligned[k] / loops.bytes(k));
            }
        }
        return Math.max(1, width);
    }

    private static int widest(Loops loops, IntPredicate inPackets) {
        return IntStream.range(0, loops.streams())
                .filter(inPackets)
                .map(loops::bytes)
                .max()
                .orElse(PACKET_BYTES);
    }
}
