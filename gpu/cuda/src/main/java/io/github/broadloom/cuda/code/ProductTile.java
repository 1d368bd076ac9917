package io.github.broadloom.cuda.code;

import io.github.broadloom.dtype.DType;

/** The part of a product of matrices that a block computes at a time, and a thread of it. */
record ProductTile(int rows, int columns, int threadRows, int threadColumns) {
    static final int THREADS = 256;

    /** Places that are in shared memory at a time; a panel is a multiple of them. */
    static final int STEP = 16;

    /** So many blocks keep every multiprocessor busy. */
    static final long ENOUGH_BLOCKS = 512;

    /** Reads each element once for every 128 products. Its sums are half of a thread's registers, if each is one. */
    private static final ProductTile LARGE = new ProductTile(128, 128, 8, 8);

    private static final ProductTile MEDIUM = new ProductTile(64, 64, 4, 4);
    private static final ProductTile SMALL = new ProductTile(32, 32, 2, 2);
    private static final ProductTile NARROW = new ProductTile(128, 4, 2, 1);

    /** The largest tile of which there are enough, for products with no more columns than rows. */
    static ProductTile of(DType dtype, long matrices, long rows, long columns) {
        if (columns <= NARROW.columns) {
            return NARROW;
        }
        boolean wide = dtype == DType.FLOAT64 || dtype == DType.INT64;
        if (!wide && columns > MEDIUM.columns && LARGE.count(matrices, rows, columns) >= ENOUGH_BLOCKS / 4) {
            return LARGE;
        }
        return columns > SMALL.columns && MEDIUM.count(matrices, rows, columns) >= ENOUGH_BLOCKS / 4 ? MEDIUM : SMALL;
    }

    long rowTiles(long lines) {
        return CudaLaunch.ceilDiv(lines, rows);
    }

    long columnTiles(long lines) {
        return CudaLaunch.ceilDiv(lines, columns);
    }

    long count(long matrices, long lines, long others) {
        return matrices * rowTiles(lines) * columnTiles(others);
    }
}
