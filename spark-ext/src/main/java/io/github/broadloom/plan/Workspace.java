package io.github.broadloom.plan;

import io.github.broadloom.cpu.reduce.GroupRows;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Search;
import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.kernels.plan.Pass;
import io.github.broadloom.kernels.plan.PassPlan;
import io.github.broadloom.kernels.plan.RowBlocks;
import io.github.broadloom.kernels.plan.Stripes;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.MemoryMeter;
import java.util.Arrays;
import java.util.List;

/**
 * What the passes of a plan hold at a time, beside the inputs and the value of its expression. Arrays on the heap count where they are large; the tiles of kernels do not,
 * as they are not measured.
 */
final class Workspace {
    /** Of serialised objects, more or less. */
    static final long HEADER_BYTES = 1024;

    private final Expr root;
    private long held;
    private long most;

    private Workspace(Expr root) {
        this.root = root;
    }

    /**
     * The bytes of what stands below the root of an expression with the shapes of one chunk.
     *
     * @param inBlocks whether reductions inside of others may leave a block of rows at a time
     */
    static long below(Expr root, boolean inBlocks) {
        Workspace workspace = new Workspace(root);
        PassPlan.Rules rules = new PassPlan.Rules(PassPlan.Rules.CPU.fuses(), inBlocks);
        PassPlan.of(root, rules, Input.class::isInstance).passes().forEach(workspace::run);
        return workspace.most;
    }

    private void run(Pass pass) {
        if (pass instanceof Pass.Release end) {
            held -= held == Long.MAX_VALUE ? 0 : sizeBytes(end.node());
        }
        for (Expr result : pass.results()) {
            boolean isStored = !(result instanceof Rearrange rearrange) || copies(rearrange);
            if (result != root) {
                hold(
                        pass instanceof Pass.Reduction reduction
                                ? arrays((Reduce) result, reduction.results())
                                : arrays(result));
                hold(isStored ? sizeBytes(result) : 0);
            }
        }
        if (pass instanceof Pass.Reduction reduction && reduction.blocks().isPresent()) {
            RowBlocks blocks = reduction.blocks().get();
            long results = blocks.heldBytes();
            for (Reduce reduce : reduction.results()) {
                results = Sizes.sum(results, sizeBytes(reduce) / blocks.rows() * blocks.blockRows());
            }
            most = Math.max(most, Sizes.sum(held, results));
        }
    }

    private void hold(long bytes) {
        held = Sizes.sum(held, bytes);
        most = Math.max(most, held);
    }

    private static long sizeBytes(Expr node) {
        return Sizes.bytes(node);
    }

    /** Whether no view has the elements after the move. */
    private static boolean copies(Rearrange rearrange) {
        boolean apart = rearrange.operand() instanceof Rearrange below && below.viewOp() instanceof ViewOp.Permute;
        return rearrange.viewOp() instanceof ViewOp.Flip || rearrange.viewOp() instanceof ViewOp.Reshape && apart;
    }

    /** The arrays on the heap that computing a node from its operands takes. */
    static long arrays(Expr node) {
        if (node instanceof Reduce reduce) {
            return arrays(reduce, List.of(reduce));
        }
        if (node instanceof Along along && !along.op().kind().isScan()) {
            return counted(along.lineBytes());
        }
        if (node instanceof Search search) {
            return counted(Sizes.saturated(search.lineLength(), Long.BYTES));
        }
        if (node instanceof Grouped grouped) {
            return counted(Sizes.saturated(Long.BYTES, grouped(grouped)));
        }
        return 0;
    }

    /** The accumulators of a panel of columns, or a line, and the elements of a group of it in order. */
    private static long grouped(Grouped node) {
        Shape shape = node.operand().shape();
        long columns = shape.dims(node.dim() + 1, shape.rank()).numel();
        return node.function().kind().joins()
                ? node.groups() * GroupRows.panelColumns(node, columns)
                : 2 * shape.size(node.dim());
    }

    /** As {@link #arrays(Expr)}, of a reduction that shares a pass; the accumulators of a stripe are few. */
    private static long arrays(Reduce reduce, List<Reduce> together) {
        return Stripes.dimension(together) > 0
                ? 0
                : Sizes.saturated(counted(vectorBytes(reduce)), vectors(outermost(reduce)));
    }

    /** The accumulators that are folded at a time, which are those of what is kept inside the outermost reduced dimension. */
    static long vectorBytes(Reduce reduce) {
        Shape shape = reduce.operand().shape();
        long count = reduce.reduction().join().components();
        for (int d = shape.rank() - 1; d >= 0 && d > reduce.dims()[0]; d--) {
            int dim = d;
            count = Sizes.saturated(count, Arrays.stream(reduce.dims()).anyMatch(r -> r == dim) ? 1 : shape.size(d));
        }
        return Sizes.saturated(count, Long.BYTES);
    }

    private static long outermost(Reduce reduce) {
        return reduce.dims().length == 0 ? 1 : reduce.operand().shape().size(reduce.dims()[0]);
    }

    /** How many vectors there are at a time while so many are folded: one for each level of the tree, one that is filled, and a spare one. */
    static int vectors(long folded) {
        return levels(folded) + 2;
    }

    /** How many levels a tree over so many leaves has above them. */
    static int levels(long leaves) {
        return Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, leaves) - 1);
    }

    /** Nodes that are left of a fold or a scan, and their bytes. */
    static long sent(long nodeBytes, long nodes) {
        long bytes = Sizes.saturated(counted(nodeBytes), nodes);
        return Sizes.sum(bytes, counted(Sizes.sum(Sizes.saturated(nodeBytes, nodes), HEADER_BYTES)));
    }

    /** Small arrays are not counted. */
    static long counted(long arrayBytes) {
        return arrayBytes >= MemoryMeter.LEAST_ARRAY_BYTES ? arrayBytes : 0;
    }
}
