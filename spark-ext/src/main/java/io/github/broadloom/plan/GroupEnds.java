package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Graphs;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KnownTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Groups whose indices follow each other, as the hours of each day do: chunks that have whole ones compute them by themselves, wherever the other groups are, and nothing is brought together. To
 * the same bits, as each group's elements are joined one after the other.
 */
final class GroupEnds {
    /** More groups have ends that are as large as what is grouped. */
    private static final long MOST_GROUPS = 1 << 24;

    /** What a task makes of a group is as large, and something of its operands beside. */
    private static final int ROOM = 4;

    private GroupEnds() {}

    /** The expressions with the ends of groups in the place of labels, where these are known, and where a task has room for the longest, and no group is of more than two blocks. */
    static List<Expr> found(Settings settings, List<Expr> roots) {
        return Graphs.rewrite(
                roots, (node, over) -> over instanceof Grouped grouped ? ofEnds(settings, grouped) : over);
    }

    private static Expr ofEnds(Settings settings, Grouped grouped) {
        Expr operand = grouped.operand();
        long bytes = Sizes.bytes(operand.dtype(), operand.shape());
        long size = operand.shape().size(grouped.dim());
        boolean isLarge = grouped.by() == Grouped.By.LABELS
                && bytes > settings.chunkBytes()
                && grouped.told().shape().numel() == size
                && grouped.groups() <= MOST_GROUPS;
        Optional<Ascending> known = isLarge ? Ascending.of(grouped.told(), size) : Optional.empty();
        if (known.isEmpty() || known.get().last() >= grouped.groups()) {
            return grouped;
        }
        long[] ends = new long[(int) grouped.groups()];
        long longest = 0;
        for (long label : known.get().values()) {
            longest = Math.max(longest, ++ends[(int) label]);
        }
        Arrays.parallelPrefix(ends, Long::sum);
        long most = Math.min(RowCuts.COARSEST * settings.chunkBytes(), settings.taskBytes() / ROOM);
        boolean fits = Sizes.saturated(longest, bytes / size) <= most
                && longest <= grouped.function().block();
        return fits ? grouped.withEnds(ends(grouped, known.get().tensor(), ends)) : grouped;
    }

    private static Expr ends(Grouped grouped, KnownTensor labels, long[] ends) {
        Shape shape = Shape.ones(grouped.shape().rank()).with(grouped.dim(), ends.length);
        Tensor tensor = Tensors.of(ends).view(shape.toArray());
        return Input.of(labels.beside(tensor, "ends"), DType.INT64, shape);
    }
}
