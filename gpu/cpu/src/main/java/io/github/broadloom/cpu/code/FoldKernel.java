package io.github.broadloom.cpu.code;

import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.kernels.PointwiseProgram;
import java.util.List;

/**
 * A compiled pointwise program whose values are never stored: it folds them along the rows of a tile as it computes them, all
 * columns side by side in vector registers. Stateless, but for its numbers.
 *
 * <p>The operands are arrays of float32: one element, or one for each row or each column. Those of an operand with one for each
 * element lie as they are read: group after group of {@link #GROUP} rows, the last filled up; in a group as many columns as a
 * vector has lanes after as many; of those row after row. The number of columns is a multiple of {@link #COLUMN_MULTIPLE}; arrays of floats have
 * {@link Simd#SPARE} elements more.
 */
public interface FoldKernel {
    /** No vector has more lanes of float32. */
    int COLUMN_MULTIPLE = 16;

    /** How many neighbouring rows a sum folds in registers. */
    int GROUP = 8;

    /**
     * Folds the first rows.
     *
     * @param rows how many: of a sum a multiple of {@link #GROUP}
     * @param into of a smallest or greatest value a {@code float[]} row, with which the values are joined. Of a sum a
     *     {@code double[]} of {@link #levels} rows, of which row {@code l} gets the pairwise tree of {@code 2^l} rows where there is
     *     one that is part of no greater: where {@code rows} has that bit. The greater ones come first; those below a group are the kernel's own
     */
    void fold(Object[] operands, int rows, int columns, Object into);

    /** The levels of the trees of that many rows, from single rows upwards. */
    static int levels(int rows) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(rows);
    }

    /** How many columns are side by side in a vector. */
    int lanes();

    /** Writes the values of one row, which is not folded, to a {@code float[]}. */
    void row(Object[] operands, int row, int columns, float[] into);

    /** This kernel with the Longs and Doubles of a call, as {@link PointwiseProgram#numbers}; without them it does not run. */
    FoldKernel with(List<Object> numbers);
}
