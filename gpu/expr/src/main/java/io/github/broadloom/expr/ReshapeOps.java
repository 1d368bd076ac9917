package io.github.broadloom.expr;

import io.github.broadloom.expr.ViewOp.Reshape;
import io.github.broadloom.expr.ViewOp.Squeeze;
import io.github.broadloom.expr.ViewOp.Unsqueeze;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The view ops from one shape to another of as many elements: dimensions of size one come and go where that is enough. */
final class ReshapeOps {
    private ReshapeOps() {}

    static List<ViewOp> moves(Shape from, Shape to) {
        if (from.equals(to)) {
            return List.of();
        }
        int least = Math.min(from.rank(), to.rank());
        int kept = 0;
        while (kept < least && from.size(kept) == to.size(kept)) {
            kept++;
        }
        return Arrays.equals(withoutOnes(from), withoutOnes(to))
                ? squeezing(from, to, kept)
                : List.of(new Reshape(kept, Arrays.copyOfRange(to.toArray(), kept, to.rank())));
    }

    private static long[] withoutOnes(Shape shape) {
        return Arrays.stream(shape.toArray()).filter(size -> size != 1).toArray();
    }

    /** Between the dimensions that stay at either end, those of size one out and then in. */
    private static List<ViewOp> squeezing(Shape from, Shape to, int kept) {
        int least = Math.min(from.rank(), to.rank()) - kept;
        int last = 0;
        while (last < least && from.size(from.rank() - 1 - last) == to.size(to.rank() - 1 - last)) {
            last++;
        }
        List<ViewOp> viewOps = new ArrayList<>();
        for (int dim = from.rank() - last - 1; dim >= kept; dim--) {
            if (from.size(dim) == 1) {
                viewOps.add(new Squeeze(dim));
            }
        }
        for (int dim = kept; dim < to.rank() - last; dim++) {
            if (to.size(dim) == 1) {
                viewOps.add(new Unsqueeze(dim));
            }
        }
        return viewOps;
    }
}
