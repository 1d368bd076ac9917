package io.github.broadloom.cuda.code;

import java.util.ArrayList;
import java.util.List;

/**
 * A range of places of a pairwise tree that is cut into nodes: whole ones of one level, and before and behind them ever smaller ones, one for
 * each binary digit of how many places are left there. They are numbered: the whole ones from the left, those before them from the left,
 * and those behind them from the right.
 *
 * @param first the first place
 * @param level of the whole nodes
 * @param head how many places are before them, fewer than 2^level, or as many if there is no whole node
 * @param whole how many whole nodes there are
 * @param tail how many places are behind them, fewer than 2^level
 */
record AlignedBlocks(long first, int level, long head, long whole, long tail) {
    /** A node: the 2^level places from {@code index << level} on. */
    record Node(int level, long index) {}

    /** The cut of at least one place, in nodes of at most that level. */
    static AlignedBlocks of(long first, long places, int most) {
        long end = first + places;
        int level =
                Math.min(most, Long.SIZE - 1 - Long.numberOfLeadingZeros(first ^ end)); // of the greatest there may be
        long from = (first + (1L << level) - 1) >> level;
        long to = end >> level;
        return new AlignedBlocks(first, level, (from << level) - first, to - from, end - (to << level));
    }

    long count() {
        return whole + Long.bitCount(head) + Long.bitCount(tail);
    }

    long firstWhole() {
        return (first + head) >> level;
    }

    List<Node> nodes(long from) {
        List<Node> nodes = new ArrayList<>();
        for (long at = from; at < whole; at++) {
            nodes.add(new Node(level, firstWhole() + at));
        }
        for (long left = head; left != 0; left &= left - 1) {
            int digit = Long.numberOfTrailingZeros(left);
            nodes.add(new Node(digit, (first + head - left) >> digit));
        }
        for (long left = tail; left != 0; left &= left - 1) {
            int digit = Long.numberOfTrailingZeros(left);
            nodes.add(new Node(digit, (first + head + (whole << level) + (left & left - 1)) >> digit));
        }
        return nodes;
    }
}
