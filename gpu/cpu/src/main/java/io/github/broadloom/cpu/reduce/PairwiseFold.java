package io.github.broadloom.cpu.reduce;

import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.tensor.MemoryMeter;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
    private final List<Node> stack = new ArrayList<>();
    private final Deque<Object> spare = new ArrayDeque<>();
    private Object scratch;
    private int scratchLength;
    private Object pending;
    private int pendingFilled;
    private long next;

    private record Node(int level, long index, Object values) {}

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

    /** The index of the next vector to be begun or completed. */
    public long next() {
        return next;
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
                int level = blockLevel(whole);
                block(values, at, level, 0);
                at += width << level;
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
        int left = blocks;
        while (left > 0) {
            int most = 31 - Integer.numberOfLeadingZeros(left);
            int above = next == 0 ? most : Math.min(most, Long.numberOfTrailingZeros(next >> level));
            block(values, at, above, level);
            at += width << above;
            left -= 1 << above;
        }
    }

    /** The greatest aligned block that starts here and is there in full. */
    private int blockLevel(int whole) {
        int available = 31 - Integer.numberOfLeadingZeros(whole);
        return next == 0 ? available : Math.min(available, Long.numberOfTrailingZeros(next));
    }

    /** @param below the level of the vectors, of which there are {@code 2^level} */
    private void block(Object values, int at, int level, int below) {
        Object vector = takeVector();
        if (level == 0) {
            System.arraycopy(values, at, vector, 0, width);
        } else {
            int needed = width << (level - 1);
            if (scratchLength < needed) {
                scratch = allocate(needed);
                scratchLength = needed;
            }
            accumulators.foldBlock(values, at, level, width, scratch, 0, Math.scalb(weight, below));
            System.arraycopy(scratch, 0, vector, 0, width);
        }
        push(level + below, next >> (level + below), vector);
        next += 1L << (level + below);
    }

    private void completePending() {
        Object vector = pending;
        pending = takeVector();
        pendingFilled = 0;
        push(0, next, vector);
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

    private void push(int level, long index, Object vector) {
        Node node = new Node(level, index, vector);
        while (!stack.isEmpty() && (node.index() & 1) == 1) {
            Node top = stack.get(stack.size() - 1);
            if (top.level() != node.level() || top.index() != node.index() - 1) {
                break;
            }
            double inEach = Math.scalb(weight, top.level());
            accumulators.combine(top.values(), 0, node.values(), 0, width, inEach, inEach);
            spare.push(node.values());
            stack.remove(stack.size() - 1);
            node = new Node(top.level() + 1, top.index() >> 1, top.values());
        }
        stack.add(node);
    }

    /** The nodes of what came so far, in the order of their rows; the fold is over. */
    public List<FoldNode> nodes() {
        checkWhole();
        return stack.stream()
                .map(node -> new FoldNode(node.level(), node.index(), node.values()))
                .toList();
    }

    /**
     * The whole stream in one vector: its nodes combined from the left. Valid until the next call of {@link #accept}; the
     * fold begins anew with index 0.
     */
    public Object finish() {
        checkWhole();
        Object total = stack.get(0).values();
        double inTotal = Math.scalb(weight, stack.get(0).level());
        for (int i = 1; i < stack.size(); i++) {
            Object part = stack.get(i).values();
            double inPart = Math.scalb(weight, stack.get(i).level());
            accumulators.combine(total, 0, part, 0, width, inTotal, inPart);
            inTotal += inPart;
            spare.push(part);
        }
        stack.clear();
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
