package io.github.broadloom.expr;

import java.util.function.IntFunction;

/**
 * Which index of one dimension of a {@link ViewOp}'s operand an index {@code i} along dimension {@code dim} of its result stands for: {@code step * i + offset}, and so many behind it.
 *
 * @param dim -1 where the result has no index of its own for the dimension, so that it takes all of it
 * @param reach how many indices behind it, too: those of a window
 */
public record IndexMap(int dim, long step, long offset, long reach) {
    /** All indices of the dimension together. */
    public static final IndexMap ALL = new IndexMap(-1, 1, 0);

    IndexMap(int dim, long step, long offset) {
        this(dim, step, offset, 0);
    }

    /** The same index along that dimension of the result. */
    static IndexMap same(int dim) {
        return new IndexMap(dim, 1, 0);
    }

    static IndexMap[] each(int rank, IntFunction<IndexMap> map) {
        IndexMap[] maps = new IndexMap[rank];
        for (int dim = 0; dim < rank; dim++) {
            maps[dim] = map.apply(dim);
        }
        return maps;
    }

    public boolean isAll() {
        return dim < 0;
    }

    /** Whether it is the identity of a dimension of that size. */
    boolean keeps(int own, long size) {
        return dim == own && reach == 0 && (size == 0 || offset == 0 && (step == 1 || size == 1));
    }

    /** Whether indices stay what they are, whatever the dimension that they are of. */
    public boolean keepsIndices() {
        return step == 1 && offset == 0 && reach == 0;
    }

    /** The index that {@code index} of the result stands for. */
    public long at(long index) {
        return step * index + offset;
    }
}
