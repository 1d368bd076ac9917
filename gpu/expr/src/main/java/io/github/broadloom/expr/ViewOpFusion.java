package io.github.broadloom.expr;

import io.github.broadloom.expr.ViewOp.Crop;
import io.github.broadloom.expr.ViewOp.Flip;
import io.github.broadloom.expr.ViewOp.Permute;
import io.github.broadloom.expr.ViewOp.Reshape;
import io.github.broadloom.expr.ViewOp.Squeeze;
import io.github.broadloom.expr.ViewOp.Unsqueeze;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** View ops as few as will do: two, one after the other, as one or none; and those from one shape to another. */
final class ViewOpFusion {
    private ViewOpFusion() {}

    /**
     * What does the same as {@code first} and then {@code second}, to a tensor of that shape; null where there is
     * nothing simpler.
     */
    static @Nullable List<ViewOp> merge(ViewOp first, ViewOp second, Shape shape) {
        ViewOp merged = null;
        if (first instanceof Permute inner && second instanceof Permute outer) {
            int[] dims = inner.dims();
            merged =
                    new Permute(IntStream.of(outer.dims()).map(dim -> dims[dim]).toArray());
        } else if (first instanceof Flip inner && second instanceof Flip outer) {
            merged = new Flip(eitherOf(inner.dims(), outer.dims()));
        } else if (first instanceof Crop inner && second instanceof Crop outer && inner.dim() == outer.dim()) {
            merged = cropped(inner, outer);
        } else if (reshapes(first) && reshapes(second)) {
            List<ViewOp> viewOps = between(shape, second.apply(first.apply(shape)));
            boolean mixes = first instanceof Reshape || second instanceof Reshape;
            return viewOps.size() < 2 || mixes && viewOps.size() == 2 ? viewOps : null;
        }
        return merged == null ? null : merged.isIdentity(shape) ? List.of() : List.of(merged);
    }

    private static boolean reshapes(ViewOp viewOp) {
        return viewOp instanceof Reshape || viewOp instanceof Squeeze || viewOp instanceof Unsqueeze;
    }

    /** What is reversed twice stands as it stood. */
    private static int[] eitherOf(int[] a, int[] b) {
        return IntStream.concat(IntStream.of(a), IntStream.of(b))
                .filter(dim -> contains(a, dim) != contains(b, dim))
                .sorted()
                .toArray();
    }

    private static boolean contains(int[] dims, int wanted) {
        return IntStream.of(dims).anyMatch(dim -> dim == wanted);
    }

    /** The outer one counts the indices that the inner one takes. */
    private static Crop cropped(Crop inner, Crop outer) {
        long taken = (inner.stop() - inner.start() + inner.step() - 1) / inner.step();
        long stop = Math.min(outer.stop(), taken);
        return ViewOps.crop(
                inner.dim(),
                inner.start() + outer.start() * inner.step(),
                stop <= outer.start() ? 0 : (stop - outer.start() - 1) / outer.step() + 1,
                inner.step() * outer.step());
    }

    /** The view ops from one shape to another of as many elements: dimensions of size one come and go where that is enough. */
    static List<ViewOp> between(Shape from, Shape to) {
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
