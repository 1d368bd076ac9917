package io.github.broadloom.cpu.reduce;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.rewrite.Simplifier;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.PairwiseTree;
import io.github.broadloom.kernels.reduce.RowNodes;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Merges the partial results of chunks of rows into the reduction over dimension 0, or into what a scan along it carries
 * from chunk to chunk. The nodes may come in any order and from any cut of the rows: the bits of the result are a function of the rows alone.
 *
 * <p>Safe for use by several threads.
 */
public final class RowFold implements RowNodes {
    private final Accumulators accumulators;
    private final DType dtype;
    private final Shape resultShape;
    private final long rows;
    private final boolean empty;
    private final double rowWeight; // the values of a row in each accumulator
    private final PairwiseTree tree;
    private final Deque<Object> spare = new ArrayDeque<>();

    private RowFold(Accumulators accumulators, DType dtype, Shape resultShape, Shape operand, long reducedCount) {
        this.accumulators = accumulators;
        this.dtype = dtype;
        this.resultShape = resultShape;
        this.rows = operand.rank() == 0 ? 1 : operand.size(0);
        this.empty = operand.numel() == 0;
        this.rowWeight = empty ? 0 : reducedCount / rows;
        this.tree = new PairwiseTree(rows, "row", this::combined);
    }

    /**
     * A fold for a reduction of the whole tensor; only its dtypes, shapes and dimensions are looked at.
     *
     * @throws IllegalArgumentException when it does not reduce dimension 0
     */
    public static RowFold of(Reduce whole) {
        if (!whole.foldsRows()) {
            throw new IllegalArgumentException(
                    "Cannot fold rows: " + whole + " keeps dimension 0; concatenate its rows");
        }
        Shape operand = whole.operand().shape();
        return new RowFold(Accumulators.of(whole), whole.dtype(), whole.shape(), operand, whole.reducedCount());
    }

    /**
     * A fold of part of the rows: for its {@link #nodes}.
     *
     * @param chunk of the reduction
     * @param endRow the global index behind the last row of that part
     */
    public static RowFold of(Reduce chunk, long endRow) {
        Expr operand = chunk.operand();
        Expr rows = Input.of("rows", operand.dtype(), operand.shape().with(0, endRow)); // for its shape alone
        return of((Reduce) chunk.withChildren(List.of(rows)));
    }

    /** A fold of a chunk of rows, the first of which has that global index, and of those before it, if there are any. */
    public static RowFold ofChunk(Reduce chunk, long firstRow) {
        Shape shape = chunk.operand().shape();
        return shape.rank() == 0 ? of(chunk) : of(chunk, firstRow + shape.size(0));
    }

    /**
     * A chunk of rows of reductions, simplified.
     *
     * @throws IllegalArgumentException when one does not reduce dimension 0
     */
    public static List<Reduce> simplified(List<Reduce> chunk) {
        for (Reduce reduce : chunk) {
            if (!reduce.foldsRows()) {
                throw new IllegalArgumentException(
                        "Cannot take partial results: " + reduce + " keeps dimension 0; evaluate it");
            }
        }
        return Simplifier.simplify(chunk).stream().map(Reduce.class::cast).toList();
    }

    /**
     * A chunk of rows of a scan along them, simplified.
     *
     * @throws IllegalArgumentException when it is no scan along dimension 0
     */
    public static Along simplified(Along chunk) {
        if (!chunk.scansRows()) {
            throw new IllegalArgumentException(
                    "Cannot scan a chunk of rows: " + chunk + " is no scan along dimension 0; evaluate it");
        }
        return (Along) Simplifier.simplify(chunk);
    }

    /**
     * A fold for a scan of the whole tensor along dimension 0, whose last row is what it {@linkplain #finish() finishes} with.
     *
     * @throws IllegalArgumentException when it is no scan along dimension 0
     */
    public static RowFold of(Along whole) {
        if (!whole.scansRows()) {
            throw new IllegalArgumentException("Cannot fold rows: " + whole + " is no scan along dimension 0");
        }
        Shape operand = whole.operand().shape();
        return new RowFold(Accumulators.of(whole), whole.dtype(), operand.inner(), operand, operand.size(0));
    }

    /**
     * Takes a node, and its array with it.
     *
     * @throws IllegalStateException when rows of it are there already
     */
    @Override
    public synchronized void push(FoldNode node) {
        tree.push(node);
    }

    private Object combined(Object left, Object right, long leftRows, long rightRows) {
        accumulators.combine(left, 0, right, 0, FoldNode.numbers(left), rowWeight * leftRows, rowWeight * rightRows);
        return left;
    }

    @Override
    public synchronized @Nullable Object takeSpare() {
        return spare.poll();
    }

    @Override
    public synchronized void giveSpare(Object values) {
        spare.push(values);
    }

    /** The bytes of what came so far, and of arrays that are free, array by array. */
    public synchronized LongStream sizes() {
        return Stream.concat(tree.nodes().stream(), spare.stream().map(values -> new FoldNode(0, 0, values)))
                .mapToLong(FoldNode::sizeBytes);
    }

    /** What is merged so far, in the order of the rows: for another fold to go on with. The nodes keep their arrays. */
    public synchronized List<FoldNode> nodes() {
        return tree.nodes();
    }

    @Override
    public synchronized List<FoldNode> takeNodes() {
        return tree.takeAll();
    }

    /**
     * What the rows so far leave for a scan of those that follow, up to {@code endRow}.
     *
     * @throws IllegalStateException when there is a gap between the rows so far
     */
    public synchronized ScanCarry carry(long endRow) {
        List<FoldNode> nodes = nodes();
        long firstRow = nodes.isEmpty() ? 0 : nodes.get(nodes.size() - 1).end();
        tree.checkComplete(firstRow);
        if (nodes.isEmpty()) {
            return ScanCarry.NONE;
        }
        long counted = accumulators.isExact() ? 0 : firstRow & (Long.highestOneBit(firstRow ^ endRow) - 1);
        int below = nodes.size() - Long.bitCount(counted);
        List<Object> vectors = new ArrayList<>();
        if (below > 0) {
            vectors.add(joined(nodes.subList(0, below)));
        }
        nodes.subList(below, nodes.size()).forEach(node -> vectors.add(joined(List.of(node))));
        return new ScanCarry(firstRow, counted, vectors);
    }

    private Object joined(List<FoldNode> nodes) {
        int count = FoldNode.numbers(nodes.get(0).values());
        Object joined = accumulators.allocate(count);
        System.arraycopy(nodes.get(0).values(), 0, joined, 0, count);
        for (FoldNode node : nodes.subList(1, nodes.size())) {
            accumulators.combine(joined, 0, node.values(), 0, count, 1, 1);
        }
        return joined;
    }

    /**
     * The result, once every row is there.
     *
     * @return a fresh contiguous tensor
     * @throws IllegalStateException when rows are missing
     */
    public synchronized Tensor finish() {
        int elements = Math.toIntExact(resultShape.numel());
        if (!empty) {
            tree.checkComplete(rows);
        }
        Object total = empty ? accumulators.identities(elements) : tree.joinFromLeft();
        Tensor result = Tensors.empty(dtype, resultShape);
        accumulators.store(total, 0, elements * accumulators.components(), dtype, result.address());
        return result;
    }
}
