package io.github.broadloom.tensor;

/**
 * Copies elements between two strided places: the one routine under everything that copies. Dimensions that both sides
 * walk through alike become one; contiguous runs go by {@code copyMemory}, other elements by their width. Where the
 * source is contiguous along another dimension than the target, the two are walked in square tiles, so that
 * a transposition reads every cache line once.
 */
final class StridedCopy {
    private static final int TILE = 32;
    /** Runs shorter than this are copied by elements: {@code copyMemory} has a fixed cost. */
    private static final int SHORT_RUN_BYTES = 64;

    private final int width;
    private int rank;
    private final long[] sizes;
    private final long[] from;
    private final long[] to;

    private StridedCopy(long[] sizes, long[] from, long[] to, int width) {
        this.width = width;
        this.sizes = sizes.clone();
        this.from = from.clone();
        this.to = to.clone();
    }

    /** Copies; strides in elements and of either sign, the places must not overlap. */
    static void copy(long[] sizes, long[] fromStrides, long from, long[] toStrides, long to, int elementBytes) {
        for (long size : sizes) {
            if (size == 0) {
                return;
            }
        }
        StridedCopy copy = new StridedCopy(sizes, fromStrides, toStrides, elementBytes);
        copy.collapse();
        copy.exposeUnitStride();
        copy.walk(0, from, to);
    }

    /** Drops dimensions of size one, joins neighbours, and scales the strides to bytes. */
    private void collapse() {
        for (int dim = 0; dim < sizes.length; dim++) {
            if (sizes[dim] == 1) {
                continue;
            }
            boolean joins =
                    rank > 0 && from[rank - 1] == from[dim] * sizes[dim] && to[rank - 1] == to[dim] * sizes[dim];
            long joined = joins ? sizes[--rank] : 1;
            set(rank++, sizes[dim] * joined, from[dim], to[dim]);
        }
        for (int dim = 0; dim < rank; dim++) {
            from[dim] *= width;
            to[dim] *= width;
        }
    }

    private void set(int dim, long size, long fromStride, long toStride) {
        sizes[dim] = size;
        from[dim] = fromStride;
        to[dim] = toStride;
    }

    /** Moves the dimension along which the source is contiguous next to the last, where the tiles are. */
    private void exposeUnitStride() {
        if (rank < 3 || from[rank - 1] == width) {
            return;
        }
        for (int dim = 0; dim < rank - 2; dim++) {
            if (from[dim] == width) {
                long[] unit = {sizes[dim], from[dim], to[dim]};
                for (int moved = dim; moved < rank - 2; moved++) {
                    set(moved, sizes[moved + 1], from[moved + 1], to[moved + 1]);
                }
                set(rank - 2, unit[0], unit[1], unit[2]);
                return;
            }
        }
    }

    private void walk(int dim, long source, long target) {
        switch (rank - dim) {
            case 0 -> run(source, width, target, width, 1);
            case 1 -> run(source, from[dim], target, to[dim], sizes[dim]);
            case 2 -> plane(source, target);
            default -> {
                for (long i = 0; i < sizes[dim]; i++) {
                    walk(dim + 1, source + i * from[dim], target + i * to[dim]);
                }
            }
        }
    }

    private void plane(long source, long target) {
        int rowDim = rank - 2;
        int columnDim = rank - 1;
        long rows = sizes[rowDim];
        long columns = sizes[columnDim];
        boolean tiled = from[rowDim] == width && from[columnDim] != width;
        long rowTile = tiled ? TILE : rows;
        long columnTile = tiled ? TILE : columns;
        for (long row = 0; row < rows; row += rowTile) {
            long lastRow = Math.min(rows, row + rowTile);
            for (long column = 0; column < columns; column += columnTile) {
                long count = Math.min(columnTile, columns - column);
                for (long r = row; r < lastRow; r++) {
                    run(
                            source + r * from[rowDim] + column * from[columnDim],
                            from[columnDim],
                            target + r * to[rowDim] + column * to[columnDim],
                            to[columnDim],
                            count);
                }
            }
        }
    }

    private void run(long source, long sourceStep, long target, long targetStep, long count) {
        if (sourceStep == width && targetStep == width && count * width >= SHORT_RUN_BYTES) {
            RawMemory.copy(source, target, count * width);
            return;
        }
        switch (width) {
            case 1 -> {
                for (long i = 0, s = source, t = target; i < count; i++, s += sourceStep, t += targetStep) {
                    RawMemory.putByte(t, RawMemory.getByte(s));
                }
            }
            case 2 -> {
                for (long i = 0, s = source, t = target; i < count; i++, s += sourceStep, t += targetStep) {
                    RawMemory.putShort(t, RawMemory.getShort(s));
                }
            }
            case 4 -> {
                for (long i = 0, s = source, t = target; i < count; i++, s += sourceStep, t += targetStep) {
                    RawMemory.putInt(t, RawMemory.getInt(s));
                }
            }
            default -> {
                for (long i = 0, s = source, t = target; i < count; i++, s += sourceStep, t += targetStep) {
                    RawMemory.putLong(t, RawMemory.getLong(s));
                }
            }
        }
    }
}
