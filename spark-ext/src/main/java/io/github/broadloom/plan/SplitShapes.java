package io.github.broadloom.plan;

import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * New shapes that split dimensions, as windows that follow each other without overlapping, which an index of the first of the new dimensions is one of: view ops of single dimensions, through
 * which a part of a tensor is followed.
 */
final class SplitShapes {
    private final List<ViewOp> ops = new ArrayList<>();

    /** Of the next dimension of the operand, behind those that are split already. */
    private int place;

    private SplitShapes() {}

    /** View ops of a source, with windows in the place of new shapes that split dimensions. */
    static List<ViewOp> asWindows(Shape source, List<ViewOp> viewOps) {
        List<ViewOp> single = new ArrayList<>();
        Shape shape = source;
        for (ViewOp viewOp : viewOps) {
            Shape result = viewOp.apply(shape);
            Optional<List<ViewOp>> windows =
                    viewOp instanceof ViewOp.Reshape ? new SplitShapes().windows(shape, result) : Optional.empty();
            single.addAll(windows.orElse(List.of(viewOp)));
            shape = result;
        }
        return single;
    }

    /** Empty where it is more than dimensions split into several, and ones put in or left out. */
    private Optional<List<ViewOp>> windows(Shape operand, Shape result) {
        if (operand.numel() == 0) {
            return Optional.empty();
        }
        int next = 0;
        for (int d = 0; d < operand.rank(); d++) {
            int first = next;
            long size = 1;
            while (next < result.rank() && size < operand.size(d)) {
                size *= result.size(next++);
            }
            if (size != operand.size(d)) {
                return Optional.empty();
            }
            split(place + operand.rank() - d, Arrays.copyOfRange(result.toArray(), first, next));
        }
        for (; next < result.rank(); next++) {
            ops.add(new ViewOp.Unsqueeze(place++));
        }
        return Optional.of(ops);
    }

    /**
     * Makes the next dimension several.
     *
     * @param rank that there is before
     * @param sizes of them; none of a dimension of size one that is left out
     */
    private void split(int rank, long... sizes) {
        if (sizes.length == 0) {
            ops.add(new ViewOp.Squeeze(place));
            return;
        }
        int made = sizes.length - 1;
        for (int i = 0; i < made; i++) {
            long within = Arrays.stream(sizes, i + 1, sizes.length).reduce(1, (a, b) -> a * b);
            ops.add(new ViewOp.Unfold(i == 0 ? place : rank + i - 1, within, within));
        }
        int kept = place;
        if (made > 0 && kept + 1 < rank) {
            ops.add(new ViewOp.Permute(IntStream.range(0, rank + made)
                    .map(d -> d <= kept ? d : d <= kept + made ? rank + d - kept - 1 : d - made)
                    .toArray()));
        }
        place += sizes.length;
    }
}
