package io.github.broadloom.plan;

import io.github.broadloom.device.InnerReductions;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Move;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.MemoryMeter;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What computing the value of an expression stores on the way, beside its inputs and the value: what is not pointwise is computed before what stands above it, and kept until
 * the end; so is what it is computed from, where that is read more than once. Arrays on the heap count where they are large; the tiles of kernels do not, as they
 * are not measured.
 */
final class Workspace {
    /** Of serialised objects, more or less. */
    static final long HEADER_BYTES = 1024;

    private final Set<Expr> stored = Collections.newSetFromMap(new IdentityHashMap<>());
    private long bytes;
    /** The most of what is let go before the next is computed. */
    private long passing;
    /** Of strips. */
    private long results;

    private Workspace() {}

    /**
     * The bytes of what stands below the root of an expression with the shapes of one chunk.
     *
     * @param mayStrip whether reductions inside of others may leave a strip of rows at a time
     */
    static long below(Expr root, boolean mayStrip) {
        Workspace workspace = new Workspace();
        List<Expr> order = root.postOrder();
        Map<Expr, InnerReductions> inStrips =
                mayStrip ? InnerReductions.inStrips(order, Input.class::isInstance) : Map.of();
        for (Expr node : InnerReductions.whole(root, order, inStrips, Input.class::isInstance)) {
            workspace.strips(node, inStrips);
            workspace.operands(node);
            if (node != root && !isPointwise(node) && !(node instanceof Input || node instanceof Literal)) {
                workspace.bytes = Sizes.sum(workspace.bytes, arrays(node));
                if (!(node instanceof Rearrange rearrange) || copies(rearrange)) {
                    workspace.store(node);
                }
            }
        }
        return Sizes.sum(workspace.bytes, workspace.passing);
    }

    /** What is held of a strip: the inner reductions, and the results that go to their places. */
    private void strips(Expr node, Map<Expr, InnerReductions> inStrips) {
        InnerReductions inner = node instanceof Reduce reduce ? inStrips.get(reduce.operand()) : null;
        if (inner != null) {
            results = Sizes.sum(results, sizeBytes(node) / inner.rows() * inner.stripRows());
            passing = Math.max(passing, Sizes.sum(results, inner.heldBytes()));
        }
    }

    /** What has to be in memory before the node can be computed, but is computed with no other. */
    private void operands(Expr node) {
        for (Expr operand : node.children()) {
            boolean computed = isPointwise(operand) && !stored.contains(operand);
            if (computed && (node instanceof Contraction || node instanceof Rearrange)) {
                store(operand);
            } else if (computed && node instanceof Along) {
                passing = Math.max(passing, sizeBytes(operand));
            }
        }
    }

    private void store(Expr node) {
        if (stored.add(node)) {
            bytes = Sizes.sum(bytes, sizeBytes(node));
        }
    }

    private static boolean isPointwise(Expr node) {
        return node instanceof Apply || node instanceof Cast;
    }

    private static long sizeBytes(Expr node) {
        return Sizes.bytes(node.dtype(), node.shape());
    }

    /** Whether no view has the elements after the move. */
    private static boolean copies(Rearrange rearrange) {
        boolean apart = rearrange.operand() instanceof Rearrange below && below.move() instanceof Move.Permute;
        return rearrange.move() instanceof Move.Flip || rearrange.move() instanceof Move.Reshape && apart;
    }

    /** The arrays on the heap that computing a node from its operands takes. */
    static long arrays(Expr node) {
        if (node instanceof Reduce reduce) {
            return Sizes.saturated(counted(vectorBytes(reduce)), vectors(outermost(reduce)));
        }
        if (node instanceof Along along && !along.op().kind().isScan()) {
            return counted(Sizes.saturated(along.lineLength(), along.lineBytesPerValue()));
        }
        return 0;
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

    /** Nodes that are left of a fold or a scan, and then their bytes in an array that has grown, and in a copy of that. */
    static long sent(long nodeBytes, long nodes) {
        long bytes = Sizes.saturated(counted(nodeBytes), nodes);
        return Sizes.sum(bytes, counted(Sizes.saturated(2, Sizes.saturated(nodeBytes, nodes) + HEADER_BYTES)));
    }

    /** Small arrays are not counted. */
    static long counted(long arrayBytes) {
        return arrayBytes >= MemoryMeter.LEAST_ARRAY_BYTES ? arrayBytes : 0;
    }
}
