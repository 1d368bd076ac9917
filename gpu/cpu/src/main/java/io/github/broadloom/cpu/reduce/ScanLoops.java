package io.github.broadloom.cpu.reduce;

/**
 * The loops of a scan over accumulators, {@code double[]} or {@code long[]}: {@link ScanRenderer} writes them for one way of
 * joining two. Stateless.
 *
 * <p>The prefix of row r is that of its binary counter: the aligned blocks of rows that r + 1 is made of, each the pairwise
 * tree over its rows, joined from the left. A stack holds the blocks, and for each the prefix that ends with it; so a row
 * takes about two joins. Counts and steps are in numbers, of which an accumulator may have several, side by side.
 */
public interface ScanLoops {

    /** {@code into[k] = one[k] ∘ other[k]} for {@code count} numbers; {@code into} may be one of the two. */
    void join(Object one, Object other, Object into, int count);

    /**
     * Replaces the values of a line by their prefixes.
     *
     * @param from where the first value lies, each {@code step} numbers after the one before
     * @param blocks the stack's blocks, and {@code prefixes} its prefixes, from the bottom
     * @param depth how many there are
     * @param row the number of the first value's row, which the counter stands at
     * @return how many there are afterwards
     */
    int line(Object values, int from, int step, int count, Object blocks, Object prefixes, int depth, long row);
}
