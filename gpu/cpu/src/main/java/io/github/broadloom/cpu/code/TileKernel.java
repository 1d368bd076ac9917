package io.github.broadloom.cpu.code;

import io.github.broadloom.kernels.PointwiseProgram;
import java.util.List;

/**
 * A compiled pointwise program over tiles: arrays on the heap, small enough for the first-level cache. An instance may hold
 * intermediate tiles, so it serves one thread at a time; {@link #fresh} makes another.
 */
public interface TileKernel {

    /** The most elements that a tile may hold. */
    int CAPACITY = 2048;

    /**
     * Computes the elements of a tile, row by row.
     *
     * @param operands one array per operand, of its dtype's stored elements: at least 1 of them where the operand is
     *     constant, {@code rows} where it has one for each row, else {@code rows * columns}
     * @param result an array of the result dtype's stored elements, none of the operands
     * @param rows together with {@code columns} at most {@link #CAPACITY} elements
     */
    void run(Object[] operands, Object result, int rows, int columns);

    /** Another instance, for another thread, with the Longs and Doubles of a call, as {@link PointwiseProgram#numbers}. */
    TileKernel fresh(List<Object> numbers);
}
