package io.github.broadloom.kernels.plan;

import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Shape;
import java.util.List;

/**
 * Which dimension a processor's reductions are gone over in stripes: some columns, the elements inside an index, of all indices, then the next columns. The accumulators of a stripe stay in the
 * first cache; those of all columns would go through memory for each index.
 */
public final class Stripes {
    /** No dimension: elements come in row-major order. */
    public static final int NONE = -1;

    /** More columns than a tile has elements are always taken apart. */
    private static final int WIDE = 2048;

    /** Fewer columns, or indices with so few that they fit in a tile, are as soon folded as they come. */
    private static final int FEWEST_COLUMNS = 128;

    private static final int FEWEST_INDICES = 8;

    private Stripes() {}

    /** The one dimension that all of these reductions of one operand take away, where its indices are better taken in stripes. */
    public static int dimension(List<Reduce> reductions) {
        int first = dimension(reductions.get(0));
        return reductions.stream().allMatch(reduce -> dimension(reduce) == first) ? first : NONE;
    }

    private static int dimension(Reduce reduce) {
        Shape shape = reduce.operand().shape();
        int[] dims = reduce.dims();
        if (dims.length != 1 || shape.numel() == 0 || shape.size(dims[0]) == 1) {
            return NONE;
        }
        long columns = columns(shape, dims[0]);
        boolean areMany = dims[0] > 0 && columns >= FEWEST_COLUMNS && shape.size(dims[0]) >= FEWEST_INDICES;
        return columns > WIDE || areMany ? dims[0] : NONE;
    }

    /** How many elements an index of a dimension has inside. */
    public static long columns(Shape shape, int dim) {
        long columns = 1;
        for (int d = dim + 1; d < shape.rank(); d++) {
            columns *= shape.size(d);
        }
        return columns;
    }
}
