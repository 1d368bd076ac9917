package io.github.broadloom.cpu.reduce;

import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.PairwiseTree;
import io.github.broadloom.tensor.MemoryMeter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Folds a stream of equally wide vectors by the pairwise tree over their indices: node {@code (level, index)} combines its
 * two children, whatever the lengths in which the stream arrives. Whole aligned blocks are folded level by level in one
 * loop each; there is no object per vector.
 */
public final class PairwiseFold {
    private final Accumulators accumulators;
    private final int width;
    private final double weight;
    private final PairwiseTree tree = new PairwiseTree(this::combined);
    private final Deque<Object> spare = new ArrayDeque<>();
    private Object scratch;
    private Object pending;
    private int pendingFilled;
    private long next;

    /**
     * A fold of vectors of {@code width} numbers.
     *
     * @param firstIndex the index of the first vector that will come
     * @param weight how many reduced values are in each accumulator that will come
     */
    public PairwiseFold(Accumulators accumulators, int width, long firstIndex, long weight) {
        this.accumulators = accumulators;
        this.width = width;
        this.weight = weight;
        this.next = firstIndex;
        this.scratch = accumulators.allocate(0);
        this.pending = allocate(width);
    }

    /** Begins anew, with the vector of that index. */
    public void begin(long firstIndex) {
        tree.takeAll().forEach(node -> spare.push(node.values()));
        next = firstIndex;
        pendingFilled = 0;
    }

    /**
     * Goes on with what came before the first vector.
     *
     * @param before its nodes, of vectors that stand {@code from} that place on in theirs; they are copied
     */
    public void goOn(List<FoldNode> before, int from) {
        for (FoldNode node : before) {
            Object vector = takeVector();
            System.arraycopy(node.values(), from, vector, 0, width);
            tree.push(new FoldNode(node.level(), node.index(), vector));
        }
    }

    /** How many numbers are to come until {@code vectors} vectors are complete, counted from index 0. */
    public long missing(long vectors) {
        return (vectors - next) * width - pendingFilled;
    }

    /** Takes the next {@code count} numbers of the stream: any number, not only whole vectors. */
    public void accept(Object values, int from, int count) {
        int at = from;
        int end = from + count;
        while (at < end) {
            int whole = (end - at) / width;
            if (pendingFilled == 0 && whole > 0) {
                at += block(values, at, whole, 0);
            } else {
                int taken = Math.min(width - pendingFilled, end - at);
                System.arraycopy(values, at, pending, pendingFilled, taken);
                pendingFilled += taken;
                at += taken;
                if (pendingFilled == width) {
                    completePending();
                }
            }
        }
    }

    /**
     * Takes the next vectors in blocks that are folded already.
     *
     * @param from where {@code blocks} vectors lie in {@code values}
     * @param level of the node that each block is; the next vector begins one
     */
    public void acceptFolded(Object values, int from, int blocks, int level) {
        int at = from;
        int end = from + blocks * width;
        while (at < end) {
            at += block(values, at, (end - at) / width, level);
        }
    }

    /**
     * Folds the greatest aligned block that starts here and is there in full; returns how many numbers it has.
     *
     * @param available how many vectors are there, each a node of the level {@code below}
     */
    private int block(Object values, int at, int available, int below) {
        int most = 31 - Integer.numberOfLeadingZeros(available);
        int level = next == 0 ? most : Math.min(most, Long.numberOfTrailingZeros(next >> below));
        Object vector = takeVector();
        if (level == 0) {
            System.arraycopy(values, at, vector, 0, width);
        } else {
            int needed = width << (level - 1);
            if (FoldNode.numbers(scratch) < needed) {
                scratch = allocate(needed);
            }
            accumulators.foldBlock(values, at, level, width, scratch, 0, Math.scalb(weight, below));
            System.arraycopy(scratch, 0, vector, 0, width);
        }
        tree.push(new FoldNode(level + below, next >> (level + below), vector));
        next += 1L << (level + below);
        return width << level;
    }

    private void completePending() {
        Object vector = pending;
        pending = takeVector();
        pendingFilled = 0;
        tree.push(new FoldNode(0, next, vector));
        next++;
    }

    private Object takeVector() {
        Object vector = spare.poll();
        return vector == null ? allocate(width) : vector;
    }

    private Object allocate(int count) {
        MemoryMeter.array((long) count * Long.BYTES);
        return accumulators.allocate(count);
    }

    private Object combined(Object left, Object right, long leftVectors, long rightVectors) {
        accumulators.combine(left, 0, right, 0, width, weight * leftVectors, weight * rightVectors);
        spare.push(right);
        return left;
    }

    /** The nodes of what came so far, in the order of their rows; the fold is over. */
    public List<FoldNode> nodes() {
        checkWhole();
        return tree.nodes();
    }

    /**
     * The whole stream in one vector: its nodes combined from the left. Valid until the next call of {@link #accept}; the
     * fold begins anew with index 0.
     */
    public Object finish() {
        checkWhole();
        Object total = tree.joinFromLeft();
        spare.push(total);
        next = 0;
        return total;
    }

    private void checkWhole() {
        if (pendingFilled != 0) {
            throw new IllegalStateException(
                    "Cannot finish fold: " + pendingFilled + " of " + width + " numbers came; give whole vectors");
        }
    }
}
