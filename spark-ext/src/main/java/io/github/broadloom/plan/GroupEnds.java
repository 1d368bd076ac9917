package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Graphs;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KnownTensor;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.ViewOp;
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
        Optional<KnownTensor> known = isLarge ? known(grouped.told(), size) : Optional.empty();
        if (known.isEmpty()) {
            return grouped;
        }
        long[] labels = known.get().unchanged().contiguous().toLongArray();
        long[] ends = new long[(int) grouped.groups()];
        long before = 0;
        long longest = 0;
        for (long label : labels) {
            if (label < before || label >= ends.length) {
                return grouped;
            }
            longest = Math.max(longest, ++ends[(int) label]);
            before = label;
        }
        Arrays.parallelPrefix(ends, Long::sum);
        boolean fits = Sizes.saturated(longest, bytes / size) <= settings.chunkBytes()
                && longest <= grouped.function().block();
        return fits ? grouped.withEnds(ends(grouped, known.get(), ends)) : grouped;
    }

    /** What has labels in their order, seen as something else of as many elements. */
    private static Optional<KnownTensor> known(Expr labels, long size) {
        Expr below = labels;
        while (below instanceof Cast
                || below instanceof Rearrange rearrange && rearrange.viewOp() instanceof ViewOp.Reshape) {
            below = below.children().get(0);
        }
        boolean isKnown = below instanceof Input input
                && input.source() instanceof KnownTensor
                && input.shape().numel() == size
                && !input.dtype().isFloatingPoint()
                && input.dtype() != DType.BOOL;
        return isKnown ? Optional.of((KnownTensor) ((Input) below).source()) : Optional.empty();
    }

    private static Expr ends(Grouped grouped, KnownTensor labels, long[] ends) {
        Shape shape = Shape.ones(grouped.shape().rank()).with(grouped.dim(), ends.length);
        Tensor tensor = Tensors.of(ends).view(shape.toArray());
        return Input.of(labels.beside(tensor, "ends"), DType.INT64, shape);
    }
}
