package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.plan.Operands.Found;
import io.github.broadloom.tensor.Box;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An operand that is brought into other blocks before a stage reads it: where many tasks need the same block, Spark's shuffle would write it once for each
 * of them, and writes it just once where the block is a chunk of its own; and where one exchange would be of too many pieces.
 *
 * @param grids the cuts that it gets, one after the other
 * @param stage the chunks of the stage
 */
record Recut(Operands.ViewedInput viewed, List<ChunkGrid> grids, ChunkGrid stage) {
    /**
     * How an operand that is shuffled is brought to a stage; empty where it goes straight.
     *
     * @param repeats whether several chunks of the stage need the same elements
     */
    static Optional<Recut> of(Found operand, ChunkGrid stage, boolean repeats, Settings settings) {
        ChunkGrid needed = needed(operand, stage);
        List<ChunkGrid> grids =
                new ArrayList<>(Rechunk.between(operand.source().cuts(settings), needed, Rechunk.MOST_PIECES));
        if (repeats) {
            grids.add(needed);
        }
        return grids.isEmpty() ? Optional.empty() : Optional.of(new Recut(operand.viewed(), grids, stage));
    }

    /** The cuts of an operand for which {@code steps} are the chunks of the stage. */
    private static ChunkGrid needed(Found operand, ChunkGrid steps) {
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
        return ChunkGrid.of(own.shape(), cuts);
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
