package io.github.broadloom.codegen;

/**
 * A compiled pointwise program over rows of off-heap memory, which it reads and writes where they lie. It has no state: any
 * number of threads may run it.
 */
public interface DirectKernel {

    /**
     * Computes the elements of some rows.
     *
     * @param places the memory of each operand and, last, of the result. Direct buffers in the machine's order of bytes, where the
     *     elements of a row lie together; of an operand that has one for each row, or is constant, there is one, and of one
     *     that repeats a period eight. An operand with one for each column is an array of floats
     * @param at where in each place the first row begins, in bytes
     * @param steps from row to row in each place, in bytes; 0 repeats a row
     */
    void run(Object[] places, int[] at, int[] steps, int rows, int columns);
}
