package io.github.broadloom.cpu;

import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.ScanLoops;
import io.github.broadloom.kernels.reduce.ScanCarry;
import java.util.ArrayList;
import java.util.List;

/** What a scan keeps of lines side by side as it goes from row to row: the stack that {@link ScanLoops} describes, of rows. */
final class RowStack {
    private final ScanLoops loops;
    private final Accumulators accumulators;
    private final int width;
    private final List<Object> blocks = new ArrayList<>();
    private final List<Object> prefixes = new ArrayList<>();
    private Object row;
    private int depth;
    private long counter;

    /** @param width how many numbers a row has */
    RowStack(ScanLoops loops, Accumulators accumulators, int width) {
        this.loops = loops;
        this.accumulators = accumulators;
        this.width = width;
        this.row = accumulators.allocate(width);
    }

    /**
     * New lines.
     *
     * @param from the place of the first among the numbers that are carried
     */
    void begin(ScanCarry carry, int from) {
        depth = 0;
        for (int i = 0; i < carry.depth(); i++) {
            System.arraycopy(carry.vector(i), from, row, 0, width);
            counter = 0; // where no block is joined with one before
            prefix();
        }
        counter = carry.counter();
    }

    /** Where the next row is to be put before {@link #prefix()}. */
    Object row() {
        return row;
    }

    /** The prefix of the row that was put, valid until the next one. */
    Object prefix() {
        if (depth == 1 && accumulators.isExact()) { // in any order, so one after the other
            Object prefix = prefixes.get(0);
            loops.join(prefix, row, prefix, width);
            return prefix;
        }
        int top = depth - Long.numberOfTrailingZeros(~counter);
        Object block = row;
        for (int i = depth - 1; i >= top; i--) {
            Object left = blocks.get(i);
            loops.join(left, block, left, width);
            block = left;
        }
        if (block == row) {
            row = at(blocks, top);
            blocks.set(top, block);
        }
        Object prefix = at(prefixes, top);
        if (top == 0) {
            System.arraycopy(block, 0, prefix, 0, width);
        } else {
            loops.join(prefixes.get(top - 1), block, prefix, width);
        }
        depth = top + 1;
        counter++;
        return prefix;
    }

    private Object at(List<Object> vectors, int place) {
        while (vectors.size() <= place) {
            vectors.add(accumulators.allocate(width));
        }
        return vectors.get(place);
    }
}
