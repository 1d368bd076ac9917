package io.github.broadloom.codegen;

/**
 * A compiled pointwise program whose values are never stored: it folds them along the rows of a tile as it computes them, all
 * columns side by side in vector registers. Stateless.
 *
 * <p>The operands are arrays as a {@link TileKernel} takes them, of float32. The number of columns is a multiple of
 * {@link #COLUMN_MULTIPLE}.
 */
public interface FoldKernel {
    /** No vector has more lanes of float32. */
    int COLUMN_MULTIPLE = 16;

    /** How many neighbouring rows a sum folds in registers. */
    int GROUP = 8;

    /**
     * Folds some rows.
     *
     * @param firstRow of the operands' rows, the first to be folded
     * @param rows how many: of a sum a multiple of {@link #GROUP}
     * @param into of a sum a {@code double[]} that gets, for each group of rows, a row of their dyadic trees; of a smallest or
     *     greatest value a {@code float[]} row, with which the values are joined
     */
    void fold(Object[] operands, int firstRow, int rows, int columns, Object into);

    /** Writes the values of one row, which is not folded, to a {@code float[]}. */
    void row(Object[] operands, int row, int columns, float[] into);
}
