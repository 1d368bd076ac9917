package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.shape.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * The launches that compute a pointwise program and fold its values, storing nothing but the results. They are made to give the bits
 * of the CPU: the same accumulators, joined in the same pairwise trees.
 *
 * <p>A fold takes the dimensions of one {@linkplain FoldOrder stretch}; each launch folds lines, or ranges of lines whose nodes the next
 * launch joins. What lies between two launches is in scratch memory.
 */
public final class ReductionLaunches {
    private ReductionLaunches() {}

    /**
     * The launches of reductions of one operand, none where the result has no elements. Those that go over the same dimensions are computed together, so that memory is read once.
     *
     * @param spec the program that computes the values that are reduced
     * @param reductions their operand's dtype is that of the program, and its shape the shape of the values
     * @param operands the layouts of the program's operands, each of which broadcasts to that shape; their offsets do not count
     * @param alignments for each operand a power of two up to 16 that divides the address of its first element
     */
    public static LaunchPlan of(KernelSpec spec, List<Reduce> reductions, List<Layout> operands, int[] alignments) {
        List<CudaLaunch> launches = new ArrayList<>();
        long scratchBytes = 0;
        for (List<Reduce> together : together(spec, reductions, operands, alignments)) {
            List<Address> results = together.stream()
                    .map(reduce -> FoldLaunches.result(spec, reductions.indexOf(reduce)))
                    .toList();
            FoldLaunches found = new FoldLaunches(spec, together, results, operands, alignments, scratchBytes);
            List<FoldOrder.Fold> folds = FoldOrder.of(found.type);
            int last = folds.size() - 1;
            folds.subList(0, last).forEach(found::fold);
            found.finish(folds.get(last));
            launches.addAll(found.launches());
            scratchBytes = found.scratchBytes();
        }
        return LaunchPlan.of(launches, scratchBytes, operands.size());
    }

    private static List<List<Reduce>> together(
            KernelSpec spec, List<Reduce> reductions, List<Layout> operands, int[] alignments) {
        List<List<Reduce>> groups = new ArrayList<>();
        List<Reduce> stored =
                reductions.stream().filter(reduce -> reduce.shape().numel() > 0).toList();
        for (List<Reduce> group : FoldType.together(stored)) {
            boolean tiled = group.stream().map(List::of).anyMatch(alone -> {
                FoldLaunches found = new FoldLaunches(spec, alone, operands, alignments);
                List<FoldOrder.Fold> folds = FoldOrder.of(found.type);
                return folds.size() == 1 && found.isTiled(folds.get(0));
            });
            if (tiled) {
                group.forEach(reduce -> groups.add(List.of(reduce)));
            } else {
                groups.add(group);
            }
        }
        return groups;
    }
}
