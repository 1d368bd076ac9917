package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.Pieces.Piece;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.LoopNest;
import java.util.List;

/** A pointwise program over a nest of loops, as launches of one kernel. */
public final class PointwiseLaunches {
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
        return kernel(spec, loops, PointwisePath.of(loops, pieces, alignments)).launches(pieces);
    }

    private static PointwiseKernel kernel(KernelSpec spec, Loops loops, PointwisePath path) {
        return switch (path.family()) {
            case FLAT -> new FlatKernel(spec, loops, path.vector());
            case INNER, GENERAL -> new StridedKernel(spec, loops, path.vector());
            case TILED ->
                path.vector() == 1
                        ? new TransposeKernel(spec, loops)
                        : new PackedTransposeKernel(spec, loops, path.vector());
        };
    }
}
