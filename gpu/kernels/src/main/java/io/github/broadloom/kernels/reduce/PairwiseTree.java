package io.github.broadloom.kernels.reduce;

import java.util.ArrayList;
import java.util.List;

/**
 * The nodes of a pairwise tree over places that are counted from zero, each covering {@code 2^level} of them, as they come in any order: siblings are joined as
 * soon as both are there, so that what is left is a function of the places alone. Where they come one after the other, it is a binary counter.
 */
public final class PairwiseTree {
    /** How many neighbours along a line are the smallest node of a reduction to moments: they have one mean. */
    public static final int BLOCK = 64;

    private final long places;
    private final String noun;
    private final Join join;
    private final List<FoldNode> nodes = new ArrayList<>(); // in the order of the places

    /** Makes one value of those of neighbouring places; it may keep and change both. */
    public interface Join {
        Object join(Object left, Object right, long leftPlaces, long rightPlaces);
    }

    /**
     * A tree without nodes.
     *
     * @param places how many there will be
     * @param noun what a place is called
     */
    public PairwiseTree(long places, String noun, Join join) {
        this.places = places;
        this.noun = noun;
        this.join = join;
    }

    /** Over places of which nobody knows how many there will be. */
    public PairwiseTree(Join join) {
        this(Long.MAX_VALUE, "place", join);
    }

    /**
     * Takes a node, and its value with it.
     *
     * @throws IllegalStateException when some of it is there already
     */
    public void push(FoldNode node) {
        int at = before(node.end());
        check(node, at);
        FoldNode merged = node;
        while (true) {
            boolean isRight = (merged.index() & 1) == 1;
            int sibling = isRight ? at - 1 : at;
            boolean isThere = sibling >= 0
                    && sibling < nodes.size()
                    && nodes.get(sibling).level() == merged.level()
                    && nodes.get(sibling).index() == (merged.index() ^ 1);
            if (!isThere) {
                nodes.add(at, merged);
                return;
            }
            FoldNode other = nodes.remove(sibling);
            merged = isRight ? parent(other, merged) : parent(merged, other);
            at = isRight ? sibling : at;
        }
    }

    private FoldNode parent(FoldNode left, FoldNode right) {
        Object joined = join.join(left.values(), right.values(), left.places(), right.places());
        return new FoldNode(left.level() + 1, left.index() >> 1, joined);
    }

    /** How many nodes begin before a place: in a stream all of them. */
    private int before(long place) {
        int low = 0;
        int high = nodes.size();
        while (low < high) {
            int middle = high == nodes.size() ? high - 1 : (low + high) >>> 1;
            if (nodes.get(middle).first() < place) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void check(FoldNode node, int at) {
        if (at > 0 && nodes.get(at - 1).end() > node.first()) {
            throw new IllegalStateException("Cannot merge " + described(node) + ": " + described(nodes.get(at - 1))
                    + " are there already; push each chunk once");
        }
        if (node.end() > places) {
            throw new IllegalStateException(
                    "Cannot merge " + described(node) + ": the tensor has " + places + " " + noun + "s");
        }
    }

    private String described(FoldNode node) {
        return noun + "s " + node.first() + " to " + node.end();
    }

    /** What is left so far, in the order of the places. The nodes keep their values. */
    public List<FoldNode> nodes() {
        return List.copyOf(nodes);
    }

    /** As {@link #nodes}; the tree is empty then. */
    public List<FoldNode> takeAll() {
        List<FoldNode> all = nodes();
        nodes.clear();
        return all;
    }

    /** How many nodes are left so far. */
    public int size() {
        return nodes.size();
    }

    /** The last of them, in the order of the places. */
    public FoldNode last() {
        return nodes.get(nodes.size() - 1);
    }

    /** What is left joined to one value, from the left; the tree, in which there is a node, is empty then. */
    public Object joinFromLeft() {
        Object total = nodes.get(0).values();
        long inTotal = nodes.get(0).places();
        for (FoldNode node : nodes.subList(1, nodes.size())) {
            total = join.join(total, node.values(), inTotal, node.places());
            inTotal += node.places();
        }
        nodes.clear();
        return total;
    }

    /** As {@link #joinFromLeft}, but from the right: of places from 0 on the smaller to the greater. */
    public Object joinFromRight() {
        int last = nodes.size() - 1;
        Object total = nodes.get(last).values();
        long inTotal = nodes.get(last).places();
        for (int i = last - 1; i >= 0; i--) {
            total = join.join(nodes.get(i).values(), total, nodes.get(i).places(), inTotal);
            inTotal += nodes.get(i).places();
        }
        nodes.clear();
        return total;
    }

    /** @throws IllegalStateException where a place before {@code end} is missing */
    public void checkComplete(long end) {
        long expected = 0;
        for (FoldNode node : nodes) {
            if (node.first() != expected) {
                break;
            }
            expected = node.end();
        }
        if (expected != end) {
            throw new IllegalStateException("Cannot finish reduction: " + noun + " " + expected + " of " + end
                    + " is missing; push every chunk");
        }
    }
}
