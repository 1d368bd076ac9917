package io.github.broadloom.kernels.reduce;

import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * In which order the dimensions of a reduction are folded, which shows where joins round, and so is the same on every device. Dimensions of
 * size one do not count. Of those behind the leading one, neighbours of the same fate are one stretch; the stretches that are reduced are folded
 * one after the other from the innermost outwards, each by the {@linkplain PairwiseTree pairwise tree} over its places. The leading dimension
 * comes last, so that rows of several chunks may meet: its tree is over the {@linkplain FoldNode#first global} row index.
 *
 * @param stretches behind the leading dimension, the outermost first
 * @param isInBlocks whether the tree of the innermost stretch, which is reduced, stands on blocks of {@link PairwiseTree#BLOCK} neighbours, each
 *     with one mean, and on single values behind the last block
 */
public record ReductionOrder(List<Stretch> stretches, boolean isInBlocks) {

    /**
     * Neighbouring dimensions that are reduced, or kept, as one.
     *
     * @param dims those that have not size one
     * @param size how many places they have together
     */
    public record Stretch(boolean isReduced, List<Integer> dims, long size) {}

    /**
     * The order for a tensor of that shape.
     *
     * @param reduced the dimensions that are reduced
     * @param isMoments whether means and deviations are gathered
     */
    public static ReductionOrder of(Shape shape, int[] reduced, boolean isMoments) {
        List<Stretch> stretches = new ArrayList<>();
        for (int dim = 1; dim < shape.rank(); dim++) {
            if (shape.size(dim) == 1) {
                continue;
            }
            int current = dim;
            boolean isReduced = IntStream.of(reduced).anyMatch(d -> d == current);
            int last = stretches.size() - 1;
            boolean joins = last >= 0 && stretches.get(last).isReduced() == isReduced;
            Stretch before = joins ? stretches.remove(last) : new Stretch(isReduced, List.of(), 1);
            List<Integer> dims = new ArrayList<>(before.dims());
            dims.add(dim);
            stretches.add(new Stretch(isReduced, dims, before.size() * shape.size(dim)));
        }
        int last = stretches.size() - 1;
        boolean isInBlocks = isMoments
                && last >= 0
                && stretches.get(last).isReduced()
                && stretches.get(last).size() >= PairwiseTree.BLOCK;
        return new ReductionOrder(stretches, isInBlocks);
    }
}
