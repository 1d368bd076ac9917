package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.plan.Operands.Found;
import io.github.broadloom.tensor.Box;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * An operand that is brought into other blocks before a stage reads it: where many tasks need the same block, Spark's shuffle would write it once for each
 * of them, and writes it just once where the block is a chunk of its own.
 *
 * @param grid the cuts that the stage needs
 * @param stage the chunks of the stage
 */
record Recut(Operands.ViewedInput viewed, ChunkGrid grid, ChunkGrid stage) {
    /** An operand for which {@code steps} are the chunks of the stage. */
    static Recut of(Found operand, ChunkGrid steps) {
        ChunkGrid own = ChunkGrid.whole(operand.source().shape());
        RowGrid[] cuts = new RowGrid[own.shape().rank()];
        Arrays.setAll(cuts, own::along);
        Box all = Box.whole(steps.shape());
        for (int dim = 0; dim < steps.cutDims(); dim++) {
            RowGrid along = steps.along(dim);
            for (int d = 0; d < cuts.length && along.chunks() > 1; d++) {
                long[] bounds = new long[along.chunks() + 1];
                for (int i = 0; i < along.chunks(); i++) {
                    bounds[i] = operand.access()
                            .box(all.with(dim, along.start(i), along.end(i)))
                            .start(d);
                }
                bounds[along.chunks()] = own.shape().size(d);
                long[] ascending = Arrays.stream(bounds).sorted().distinct().toArray();
                cuts[d] = ascending.length > 2 && ascending[0] == 0 ? RowGrid.of(ascending) : cuts[d];
            }
        }
        return new Recut(operand.viewed(), ChunkGrid.of(own.shape(), cuts), steps);
    }

    /** The expression with that input in the place of the operand's, where it is used so. */
    Expr replace(Expr root, Input chunks) {
        Map<Expr, Expr> replacements = new IdentityHashMap<>();
        for (Expr node : root.postOrder()) {
            Operands.ViewedInput.of(node).filter(this::isSame).ifPresent(used -> {
                Map<Expr, Expr> input = new IdentityHashMap<>(Map.of(used.input(), chunks));
                replacements.put(node, node.replace(input));
            });
        }
        return root.replace(replacements);
    }

    private boolean isSame(Operands.ViewedInput other) {
        return other.input().source() == viewed.input().source()
                && other.viewOps().equals(viewed.viewOps());
    }
}
