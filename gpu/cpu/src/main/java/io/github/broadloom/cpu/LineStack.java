package io.github.broadloom.cpu;

import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.ScanLoops;
import io.github.broadloom.kernels.reduce.ScanCarry;

/** What a scan keeps of one line as it goes along: the stack that {@link ScanLoops} describes, of single accumulators. */
final class LineStack {
    private static final int MOST_BLOCKS = Long.SIZE;

    private final ScanLoops loops;
    private final int components;
    private final Object blocks;
    private final Object prefixes;
    private final Object carried;
    private int depth;
    private long row;

    LineStack(ScanLoops loops, Accumulators accumulators) {
        this.loops = loops;
        this.components = accumulators.components();
        this.blocks = accumulators.allocate(MOST_BLOCKS * components);
        this.prefixes = accumulators.allocate(MOST_BLOCKS * components);
        this.carried = accumulators.allocate(components);
    }

    /**
     * A new line.
     *
     * @param column the line's place among those that are carried
     */
    void begin(ScanCarry carry, int column) {
        depth = 0;
        for (int i = 0; i < carry.depth(); i++) {
            System.arraycopy(carry.vector(i), column * components, carried, 0, components);
            row = 0; // of which no block is joined with one before
            pass(carried, 0, components, 1);
        }
        row = carry.counter();
    }

    /** Replaces the line's next values by their prefixes. */
    void pass(Object values, int from, int step, int count) {
        depth = loops.line(values, from, step, count, blocks, prefixes, depth, row);
        row += count;
    }
}
