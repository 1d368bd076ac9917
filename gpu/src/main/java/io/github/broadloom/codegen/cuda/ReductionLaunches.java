package io.github.broadloom.codegen.cuda;

import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Layout;
import java.util.List;

/**
 * The launches that compute a pointwise program and fold its values, storing nothing but the results. They are made to give the bits
 * of the CPU: the same accumulators, joined in the same dyadic trees.
 *
 * <p>A fold takes the dimensions of one {@linkplain FoldOrder stretch}; each launch folds lines, or ranges of lines whose nodes the next
 * launch joins. What lies between two launches is in scratch memory.
 *
 * @param scratchBytes how much scratch memory the launches need, at an address that 256 divides; 0 for none
 * @param launches to be run one after the other; none where the result has no elements
 */
public record ReductionLaunches(long scratchBytes, List<CudaLaunch> launches) {

    public ReductionLaunches {
        launches = List.copyOf(launches);
    }

    /**
     * The launches of a reduction.
     *
     * @param spec the program that computes the values that are reduced
     * @param reduce its operand's dtype is that of the program, and its shape the shape of the values
     * @param operands the layouts of the program's operands, each of which broadcasts to that shape; their offsets do not count
     * @param alignments for each operand a power of two up to 16 that divides the address of its first element
     */
    public static ReductionLaunches of(KernelSpec spec, Reduce reduce, List<Layout> operands, int[] alignments) {
        if (reduce.shape().numel() == 0) {
            return new ReductionLaunches(0, List.of());
        }
        FoldLaunches found = new FoldLaunches(spec, reduce, operands, alignments);
        List<FoldOrder.Fold> folds = FoldOrder.of(reduce, found.type());
        int last = folds.size() - 1;
        folds.subList(0, last).forEach(found::fold);
        found.finish(folds.get(last));
        return new ReductionLaunches(found.scratchBytes(), found.launches());
    }
}
