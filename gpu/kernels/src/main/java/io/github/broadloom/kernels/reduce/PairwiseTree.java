package io.github.broadloom.kernels.reduce;

import java.util.List;
import java.util.TreeMap;

/**
 * The nodes of a pairwise tree over places that are counted from zero, each covering {@code 2^level} of them, as they come in any order: siblings are joined as
 * soon as both are there, so that what is left is a function of the places alone. The last place of all may complete a node.
 */
public final class PairwiseTree<V> {
    /** How many neighbours along a line are the smallest node of a reduction to moments: they have one mean. */
    public static final int BLOCK = 64;

    private final long places;
    private final String noun;
    private final Join<V> join;
    private final TreeMap<Long, Node<V>> byFirst = new TreeMap<>();

    /** Makes the parent's value of two siblings' of that level; it may keep and change both. */
    public interface Join<V> {
        V join(V left, V right, int level);
    }

    /**
     * A block of places.
     *
     * @param index its position among the nodes of its level
     */
    public record Node<V>(int level, long index, V value) {
        long first() {
            return index << level;
        }

        long end() {
            return (index + 1) << level;
        }
    }

    /**
     * A tree without nodes.
     *
     * @param places how many there will be
     * @param noun what a place is called
     */
    public PairwiseTree(long places, String noun, Join<V> join) {
        this.places = places;
        this.noun = noun;
        this.join = join;
    }

    /**
     * Takes a node, and its value with it.
     *
     * @throws IllegalStateException when some of it is there already
     */
    public void push(int level, long index, V value) {
        Node<V> merged = new Node<>(level, index, value);
        checkNew(merged);
        while (true) {
            boolean right = (merged.index() & 1) == 1;
            long siblingFirst = right ? (merged.index() - 1) << merged.level() : merged.end();
            Node<V> sibling = byFirst.get(siblingFirst);
            if (sibling == null || sibling.level() != merged.level()) {
                byFirst.put(merged.first(), merged);
                return;
            }
            byFirst.remove(siblingFirst);
            Node<V> left = right ? sibling : merged;
            Node<V> other = right ? merged : sibling;
            V joined = join.join(left.value(), other.value(), left.level());
            merged = new Node<>(left.level() + 1, left.index() >> 1, joined);
        }
    }

    private void checkNew(Node<V> node) {
        var before = byFirst.lowerEntry(node.end());
        if (before != null && before.getValue().end() > node.first()) {
            throw new IllegalStateException("Cannot merge " + described(node) + ": " + described(before.getValue())
                    + " are there already; push each chunk once");
        }
        if (node.end() > places) {
            throw new IllegalStateException(
                    "Cannot merge " + described(node) + ": the tensor has " + places + " " + noun + "s");
        }
    }

    private String described(Node<V> node) {
        return noun + "s " + node.first() + " to " + node.end();
    }

    /** What is left so far, in the order of the places. */
    public List<Node<V>> nodes() {
        return List.copyOf(byFirst.values());
    }

    /** As {@link #nodes}; the tree is empty then. */
    public List<Node<V>> takeAll() {
        List<Node<V>> all = nodes();
        byFirst.clear();
        return all;
    }

    /** @throws IllegalStateException where a place before {@code end} is missing */
    public void checkComplete(long end) {
        long expected = 0;
        for (Node<V> node : byFirst.values()) {
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
