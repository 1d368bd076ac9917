package io.github.broadloom.device;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.RowNodes;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/**
 * Evaluates expressions on one device. Safe for use by several threads at once.
 *
 * <p>The source of every {@link io.github.broadloom.expr.Input} must be a {@link Tensor}.
 */
public interface Backend {

    Device device();

    /**
     * The value of an expression. The threads change no bit of it.
     *
     * @param threads how many threads of this machine may work on it, where that is a matter of threads
     * @return a fresh contiguous tensor of the expression's dtype and shape
     * @throws IllegalArgumentException when an input's source is not a tensor
     * @throws IllegalStateException when one was written to after the expression was built
     */
    Tensor evaluate(Expr expr, int threads);

    /** As {@link #evaluate(Expr, int)}, on the caller's thread alone. */
    default Tensor evaluate(Expr expr) {
        return evaluate(expr, 1);
    }

    /**
     * Writes the value of an expression into a tensor, through its strides, and stores it nowhere else. Every input
     * that is read where it is written must be read at the place of its result; {@link
     * io.github.broadloom.tensor.Aliasing} tells. Reductions inside the expression are computed before anything is
     * written.
     *
     * @param expr of the target's dtype; its shape broadcasts to the target's
     * @param target no two of its elements share a place
     * @param threads as in {@link #evaluate(Expr, int)}
     */
    void evaluateInto(Expr expr, Tensor target, int threads);

    /**
     * {@link #evaluateInto} to be run again and again, over the elements that the inputs then have: for small tensors, of which planning
     * takes longer than computing. The inputs and the target are held until it is closed.
     */
    default PreparedEvaluation prepared(Expr expr, Tensor target) {
        return () -> evaluateInto(expr, target, 1);
    }

    /** Products of matrices that are packed once, where the device has them; else each product packs its operands. */
    default Optional<PackedProducts> packedProducts() {
        return Optional.empty();
    }

    /** The least products of rows, where the device finds them; else whoever wants them has the products. */
    default Optional<LeastProducts> leastProducts() {
        return Optional.empty();
    }

    /**
     * The partial results of reductions over dimension 0 (and perhaps more) of one chunk of rows, for a
     * fold of rows each to merge. The fold tree stands over the <em>global</em> row index, so the merged result has the same
     * bits however the rows were cut into chunks. Reductions of equal operands share a pass, which changes no bit of theirs.
     *
     * @param chunk reductions whose dimensions include 0; the rows of their arguments are the chunk's
     * @param firstRow the global index of the chunk's first row
     * @return for each reduction O(log rows) nodes; none when the chunk holds no element
     * @throws IllegalArgumentException when dimension 0 is not reduced
     */
    List<List<FoldNode>> partials(List<Reduce> chunk, long firstRow);

    /**
     * As {@link #partials(List, long)}, for rows that come chunk by chunk, one after the other: a device may go on with the nodes of those before, and in their arrays.
     *
     * @param nodes of each reduction, where those of all rows before are, and those of the chunk come to
     */
    default void partials(List<Reduce> chunk, long firstRow, List<? extends RowNodes> nodes) {
        List<List<FoldNode>> own = partials(chunk, firstRow);
        for (int i = 0; i < own.size(); i++) {
            own.get(i).forEach(nodes.get(i)::push);
        }
    }

    default List<FoldNode> partials(Reduce chunk, long firstRow) {
        return partials(List.of(chunk), firstRow).get(0);
    }

    /**
     * As {@link #partials(List, long)}, of a scan along dimension 0: what the chunk contributes to the rows after it.
     *
     * @throws IllegalArgumentException when it is no scan along dimension 0
     */
    List<FoldNode> partials(Along chunk, long firstRow);

    /**
     * The chunk's part of a scan along dimension 0 of more rows.
     *
     * @param before what a fold of rows makes of the partial results of all rows before the chunk
     * @return a fresh contiguous tensor, with the bits that the scan of all rows has there
     * @throws IllegalArgumentException when it is no scan along dimension 0
     */
    Tensor scan(Along chunk, ScanCarry before);

    /**
     * How the expression would run: a line for each pass with its loops and its kernel, and what compiling the kernel took
     * if it is compiled already.
     */
    String explain(Expr expr, Detail detail);

    /** What the device does in a second: measured once, when first asked. */
    Speeds speeds();

    /** What the cache of this backend's kernels has done. */
    KernelCache.Stats kernelStats();

    /** How much {@link #explain} tells. */
    enum Detail {
        /** The steps. */
        PLAN,
        /** The steps and every kernel's source. */
        SOURCE
    }
}
