package io.github.broadloom.codegen;

import java.nio.ByteBuffer;

/**
 * A compiled pointwise program over rows of off-heap memory, which it reads and writes where they lie. It has no state: any
 * number of threads may run it.
 */
public interface DirectKernel {

    /**
     * Computes the elements of some rows.
     *
     * @param places the memory of each operand and, last, of the result: direct buffers in the machine's order of bytes. The
     *     elements of a row lie together; of an operand that has one for each row, or is constant, there is one
     * @param at where in each place the first row begins, in bytes
     * @param steps from row to row in each place, in bytes; 0 repeats a row
     */
    void run(ByteBuffer[] places, int[] at, int[] steps, int rows, int columns);
}
