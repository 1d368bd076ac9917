package io.github.broadloom.cpu.products;

/**
 * What products of matrices are made of, for elements of one type: arrays of {@code float}, {@code double}, {@code int} or {@code long}. Each
 * element of a product is summed over a panel in its order, by fused multiply-adds; integers wrap. The bits are the same on the
 * Vector API and in plain loops, but for which NaN it is: {@link #keepOneNaN}.
 */
public interface MicroKernels {
    /** Rows of a tile: of the left operand, {@code a[aFrom + p * ROWS + row]}. */
    int ROWS = 4;

    /** Columns of a tile: of the right operand, {@code b[bFrom + p * COLUMNS + column]}. */
    int COLUMNS = 16;

    /** How many pairs of lines {@link #dots} multiplies. */
    int LINES = 8;

    /**
     * Adds a tile of a product of operands that lie packed: to {@code out[at + row * step + column]} the products of the first {@code n} places of
     * the panel, one after the other.
     */
    void multiply(Object a, int aFrom, Object b, int bFrom, int n, Object out, int at, int step);

    /**
     * Sums of the products of {@value #LINES} pairs of lines that lie as they are, where a matrix is multiplied with a vector or a vector with
     * a vector: of line {@code i} the places {@code a[i * aStep + p]} and {@code b[i * bStep + p]}.
     */
    void dots(Object a, int aStep, Object b, int bStep, int n, Object out);

    /** The first of some elements that is not greater than a limit, NaN among them; {@code end} where all are greater. */
    int firstUpTo(Object values, int from, int end, double limit);

    /** Makes the first elements zeros. */
    void clear(Object values, int count);

    /** Adds the second to the first. */
    void add(Object sums, Object others, int count);

    /** Makes every NaN the one that Java's constant is: which one an operation gives is the processor's choice. */
    void keepOneNaN(Object values, int count);
}
