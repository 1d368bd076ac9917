package io.github.broadloom.cpu.products;

import io.github.broadloom.cpu.memory.Matrices;
import io.github.broadloom.expr.Contraction;
import org.jspecify.annotations.Nullable;

/**
 * How products of matrices are cut into blocks: of a large one some rows and columns at a time; of small ones several in a
 * block. How they are cut does not show in the result: each of its elements is computed by itself.
 */
final class ProductBlocks {
    /** Rows of a block: its packed panels are a quarter of the second cache each, as are its products. */
    private static final int MOST_ROWS = 256;

    /** Columns of a block. */
    private static final int MOST_COLUMNS = 256;

    /** The fewest columns where more threads than blocks are there. */
    private static final int FEWEST_COLUMNS = 64;

    /** How many elementary products are worth a block. */
    private static final long ENOUGH_PRODUCTS = 1 << 18;

    /** The most elements that the packed panels of several small matrices have together. */
    private static final long PACKED_ELEMENTS = 1 << 17;

    private final long matrices;
    private final long rows;
    private final long columns;
    private final long series;
    private final int group;
    private int blockRows;
    private int blockColumns;

    /** One block: {@code batches} matrices from {@code batch} of a series on, of each some rows and columns. */
    record Block(long series, long batch, int batches, long row, int rows, long column, int columns) {
        /** Whether another has the same rows of the same matrices. */
        boolean hasRowsOf(@Nullable Block other) {
            return other != null
                    && series == other.series
                    && batch == other.batch
                    && batches == other.batches
                    && row == other.row;
        }
    }

    /** Cuts so that all threads have something to do; so many elementary products make an element. */
    ProductBlocks(Matrices product, long places, int threads) {
        this.matrices = product.count();
        this.series = product.series();
        this.rows = product.lines();
        this.columns = product.places();
        this.blockRows = (int) Math.min(MOST_ROWS, rounded(rows, MicroKernels.ROWS));
        this.blockColumns = (int) Math.min(MOST_COLUMNS, rounded(columns, MicroKernels.COLUMNS));
        long packed = (blockRows + blockColumns) * Math.min(places, Contraction.PANEL);
        long several = Math.min(ENOUGH_PRODUCTS / blockRows / blockColumns / places, PACKED_ELEMENTS / packed);
        this.group = (int) Math.max(1, Math.min(series, several));
        while (count() < 2L * threads && blockColumns > FEWEST_COLUMNS) {
            blockRows = (int) rounded(blockRows / 2, MicroKernels.ROWS);
            blockColumns = (int) rounded(blockColumns / 2, MicroKernels.COLUMNS);
        }
    }

    private static long rounded(long count, int multiple) {
        return (count + multiple - 1) / multiple * multiple;
    }

    private static long parts(long count, int size) {
        return (count + size - 1) / size;
    }

    long count() {
        return matrices / series * parts(series, group) * parts(rows, blockRows) * parts(columns, blockColumns);
    }

    int mostElements() {
        return group * blockRows * blockColumns;
    }

    /** The most lines of the left operand that a block packs, with those that fill up its last tiles. */
    int mostRows() {
        return group * blockRows;
    }

    /** The most lines of the right operand that a block packs, with those that fill up its last tiles. */
    int mostColumns() {
        return group * blockColumns;
    }

    /** One of them; those beside each other read the same rows. */
    Block block(long index) {
        long columnBlocks = parts(columns, blockColumns);
        long column = index % columnBlocks * blockColumns;
        long rest = index / columnBlocks;
        long rowBlocks = parts(rows, blockRows);
        long row = rest % rowBlocks * blockRows;
        rest /= rowBlocks;
        long groups = parts(series, group);
        long batch = rest % groups * group;
        return new Block(
                rest / groups,
                batch,
                (int) Math.min(group, series - batch),
                row,
                (int) Math.min(blockRows, rows - row),
                column,
                (int) Math.min(blockColumns, columns - column));
    }
}
