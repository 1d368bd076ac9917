package io.github.broadloom.device;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Merges the partial results of chunks of rows into the reduction over dimension 0, or into what a scan along it carries
 * from chunk to chunk. The nodes may come in any order and
 * from any cut of the rows: siblings are combined as soon as both are there, and what remains is combined from the
 * left, so the bits of the result are a function of the rows alone.
 *
 * <p>Safe for use by several threads.
 */
public final class RowFold {
    private final Accumulators accumulators;
    private final DType dtype;
    private final Shape resultShape;
    private final long rows;
    private final boolean empty;
    private final long rowWeight;
    private final TreeMap<Long, FoldNode> byFirstRow = new TreeMap<>();

    private RowFold(Accumulators accumulators, DType dtype, Shape resultShape, Shape operand, long reducedCount) {
        this.accumulators = accumulators;
        this.dtype = dtype;
        this.resultShape = resultShape;
        this.rows = operand.rank() == 0 ? 1 : operand.size(0);
        this.empty = operand.numel() == 0;
        this.rowWeight = empty ? 0 : reducedCount / rows;
    }

    /**
     * A fold for a reduction of the whole tensor; only its dtypes, shapes and dimensions are looked at.
     *
     * @throws IllegalArgumentException when it does not reduce dimension 0
     */
    public static RowFold of(Reduce whole) {
        if (!foldsRows(whole)) {
            throw new IllegalArgumentException(
                    "Cannot fold rows: " + whole + " keeps dimension 0; concatenate its rows");
        }
        Shape operand = whole.operand().shape();
        return new RowFold(Accumulators.of(whole), whole.dtype(), whole.shape(), operand, whole.reducedCount());
    }

    /**
     * A fold for a scan of the whole tensor along dimension 0, whose last row is what it {@linkplain #finish() finishes} with.
     *
     * @throws IllegalArgumentException when it is no scan along dimension 0
     */
    public static RowFold of(Along whole) {
        if (!scansRows(whole)) {
            throw new IllegalArgumentException("Cannot fold rows: " + whole + " is no scan along dimension 0");
        }
        Shape operand = whole.operand().shape();
        return new RowFold(Accumulators.of(whole), whole.dtype(), operand.inner(), operand, operand.size(0));
    }

    /** Whether rows of different chunks meet in this reduction: it takes dimension 0, or a scalar. */
    public static boolean foldsRows(Reduce reduce) {
        int[] dims = reduce.dims();
        return reduce.operand().shape().rank() == 0 || (dims.length > 0 && dims[0] == 0);
    }

    /** Whether it is a scan whose lines run through the rows, so that each chunk goes on where the one before ends. */
    public static boolean scansRows(Along along) {
        return along.op().kind().isScan() && along.crossesRows();
    }

    /**
     * Takes a node, and its array with it.
     *
     * @throws IllegalStateException when rows of it are there already
     */
    public synchronized void push(FoldNode node) {
        checkNew(node);
        FoldNode merged = node;
        while (true) {
            boolean right = (merged.index() & 1) == 1;
            long siblingRow = right ? (merged.index() - 1) << merged.level() : merged.endRow();
            FoldNode sibling = byFirstRow.get(siblingRow);
            if (sibling == null || sibling.level() != merged.level()) {
                byFirstRow.put(merged.firstRow(), merged);
                return;
            }
            byFirstRow.remove(siblingRow);
            merged = right ? parent(sibling, merged) : parent(merged, sibling);
        }
    }

    private FoldNode parent(FoldNode left, FoldNode right) {
        double weight = weight(left);
        accumulators.loops().combine(left.values(), 0, right.values(), 0, left.numbers(), weight, weight);
        return new FoldNode(left.level() + 1, left.index() >> 1, left.values());
    }

    /** How many values are in each of its accumulators. */
    private double weight(FoldNode node) {
        return Math.scalb(rowWeight, node.level());
    }

    private void checkNew(FoldNode node) {
        var before = byFirstRow.lowerEntry(node.endRow());
        if (before != null && before.getValue().endRow() > node.firstRow()) {
            throw new IllegalStateException(
                    "Cannot merge " + node + ": " + before.getValue() + " are there already; push each chunk once");
        }
        if (node.endRow() > rows) {
            throw new IllegalStateException("Cannot merge " + node + ": the tensor has " + rows + " rows");
        }
    }

    /** What is merged so far, in the order of the rows: for another fold to go on with. The nodes keep their arrays. */
    public synchronized List<FoldNode> nodes() {
        return List.copyOf(byFirstRow.values());
    }

    /**
     * What the rows so far leave for a scan of those that follow, up to {@code endRow}.
     *
     * @throws IllegalStateException when there is a gap between the rows so far
     */
    public synchronized ScanCarry carry(long endRow) {
        long firstRow =
                byFirstRow.isEmpty() ? 0 : byFirstRow.lastEntry().getValue().endRow();
        checkComplete(firstRow);
        return ScanCarry.of(accumulators, nodes(), firstRow, endRow);
    }

    /**
     * The result, once every row is there.
     *
     * @return a fresh contiguous tensor
     * @throws IllegalStateException when rows are missing
     */
    public synchronized Tensor finish() {
        int elements = Math.toIntExact(resultShape.numel());
        Object total;
        if (empty) {
            total = accumulators.identities(elements);
        } else {
            checkComplete(rows);
            List<FoldNode> nodes = new ArrayList<>(byFirstRow.values());
            total = nodes.get(0).values();
            double inTotal = weight(nodes.get(0));
            for (FoldNode node : nodes.subList(1, nodes.size())) {
                accumulators.loops().combine(total, 0, node.values(), 0, node.numbers(), inTotal, weight(node));
                inTotal += weight(node);
            }
            byFirstRow.clear();
        }
        Tensor result = Tensors.empty(dtype, resultShape);
        accumulators.store(total, 0, elements * accumulators.components(), dtype, result.address());
        Reference.reachabilityFence(result);
        return result;
    }

    private void checkComplete(long endRow) {
        long expected = 0;
        for (FoldNode node : byFirstRow.values()) {
            if (node.firstRow() != expected) {
                break;
            }
            expected = node.endRow();
        }
        if (expected != endRow) {
            throw new IllegalStateException(
                    "Cannot finish reduction: row " + expected + " of " + endRow + " is missing; push every chunk");
        }
    }
}
