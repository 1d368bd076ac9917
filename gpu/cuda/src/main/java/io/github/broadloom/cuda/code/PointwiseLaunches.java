package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.Pieces.Piece;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.LoopNest;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A pointwise program over a nest of loops, as launches of one kernel. Its family, and how many neighbours it loads and stores at once, are chosen here, once, outside
 * the kernel, from the strides and the alignment of all pieces.
 */
public final class PointwiseLaunches {
    static final int PACKET_BYTES = 16;

    /** What is worth a packet: below, the flat family with full packets is the better choice. */
    private static final int WORTHWHILE_BYTES = 8;
    /** From this side on turning squares pays. */
    private static final int SQUARE = 16;

    /** Indices are 32-bit numbers, and {@link Divisor} divides those below 2³¹. */
    private static final long INDEX_LIMIT = Integer.MAX_VALUE;

    private PointwiseLaunches() {}

    /**
     * The launches, in any order; none where there is no element. More than 2³¹ - 1 elements, or an operand whose elements lie
     * further apart, take several.
     *
     * @param spec the program; its operands' access classes do not matter
     * @param nest the loops over the result and the operands, in the order of the specification
     * @param alignments for each operand, and behind them the result, a power of two that divides the address of its first element,
     *     in bytes; more than 16 is as good as 16
     */
    public static List<CudaLaunch> of(KernelSpec spec, LoopNest nest, int[] alignments) {
        return of(spec, nest, alignments, INDEX_LIMIT);
    }

    /** As {@link #of(KernelSpec, LoopNest, int[])}, cut where indices would pass a limit. */
    static List<CudaLaunch> of(KernelSpec spec, LoopNest nest, int[] alignments, long indexLimit) {
        Loops loops = Loops.of(spec, nest);
        if (loops.elements() == 0) {
            return List.of();
        }
        List<Piece> pieces = Pieces.of(loops, indexLimit);
        return kernel(spec, loops, pieces, aligned(loops, pieces, alignments)).launches(pieces);
    }

    private static PointwiseKernel kernel(KernelSpec spec, Loops loops, List<Piece> pieces, int[] aligned) {
        if (!TransposePlan.turned(loops).isEmpty() && isLargeEnough(loops)) {
            int word = TransposePlan.wordElements(loops, pieces, aligned);
            return word == 1 ? new TransposeKernel(spec, loops) : new PackedTransposeKernel(spec, loops, word);
        }
        boolean dense = loops.isDense(loops.result());
        int flat = dense ? width(loops, aligned, loops::isDense) : 1;
        int inner = innerWidth(loops, pieces, aligned);
        boolean single = loops.rank() == 1;
        boolean worthwhile = inner * widest(loops, k -> loops.innerStride(k) == 1) >= WORTHWHILE_BYTES;
        if (inner > 1 && !single && (worthwhile || inner >= flat)) {
            return new StridedKernel(spec, loops, inner);
        }
        return flat > 1 ? new FlatKernel(spec, loops, flat) : new StridedKernel(spec, loops, 1);
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
