package io.github.broadloom.codegen;

/**
 * A compiled pointwise program over tiles: arrays on the heap, small enough for the first-level cache. An instance may hold
 * intermediate tiles, so it serves one thread at a time; {@link #fresh} makes another.
 */
public interface TileKernel {

    /** The most elements that a tile may hold. */
    int CAPACITY = 2048;

    /**
     * Computes {@code count} elements.
     *
     * @param operands one array per operand, of its dtype's stored elements; of length at least 1 where the operand is
     *     constant, else at least {@code count}
     * @param result an array of the result dtype's stored elements, none of the operands
     * @param count at most {@link #CAPACITY}
     */
    void run(Object[] operands, Object result, int count);

    /** Another instance of this kernel, for another thread. */
    TileKernel fresh();
}
