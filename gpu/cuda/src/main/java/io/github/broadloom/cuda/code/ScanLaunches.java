package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.FoldForm.Leaf;
import io.github.broadloom.cuda.code.FoldKernelText.Target;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.List;
import java.util.Optional;

/**
 * The launches of a running sum or product, with the bits of the CPU: the prefix of n values is the nodes of the pairwise tree that they are
 * made of, joined from the left. Lines are cut into ranges; the nodes that those are are scanned first, in the same manner, and then a thread
 * goes along each range.
 */
public final class ScanLaunches {
    private static final int MOST_LEVEL = 9;
    private static final int LEAST_LEVEL = 6;

    private ScanLaunches() {}

    /** Whether there are kernels for a function of lines. */
    public static boolean canCompute(Along along) {
        return along.total().isPresent() && along.operand().shape().rank() > 0;
    }

    /**
     * The launches of a scan; none where there are no elements.
     *
     * @param scan of those that {@link #canCompute} accepts; its operand's shape is that of the values
     * @see ReductionLaunches#of for the others
     */
    public static LaunchPlan of(KernelSpec spec, Along scan, List<Layout> operands, int[] alignments) {
        Shape shape = scan.operand().shape();
        if (shape.numel() == 0) {
            return LaunchPlan.NOTHING;
        }
        Reduce total = scan.total().orElseThrow();
        FoldLaunches found = new FoldLaunches(spec, List.of(total), operands, alignments);
        boolean[] dims = new boolean[shape.rank()];
        dims[scan.dims()[0]] = true;
        long inner = 1;
        for (int dim = scan.dims()[0] + 1; dim < shape.rank(); dim++) {
            inner *= shape.size(dim);
        }
        FoldSource source = found.source(new FoldOrder.Fold(dims, Leaf.VALUE));
        scan(found, source, inner, Target.RESULT, FoldLaunches.result(spec, 0));
        return found.plan();
    }

    private static void scan(FoldLaunches found, FoldSource source, long inner, Target target, Address result) {
        int level = MOST_LEVEL;
        while (level > LEAST_LEVEL && source.lines() * (source.length() >> level) < FoldForm.ENOUGH_THREADS) {
            level--;
        }
        long whole = source.length() >> level;
        Optional<Address> prefixes = Optional.empty();
        if (whole > 0) {
            AlignedBlocks ranges = AlignedBlocks.of(0, whole << level, level);
            FoldForm form = FoldForm.of(source, found.type, Leaf.VALUE, 1L << level);
            BlockStage stage = new BlockStage(source, found.type, form.ofWholeWarps(), ranges, 1, 0);
            FoldSource nodes = found.wholeNodes(stage, found.launch(stage));
            prefixes = Optional.of(found.region(whole * source.lines()));
            scan(found, nodes, source.lines(), Target.NODE, prefixes.get());
        }
        found.launch(new ScanKernelText(source, found.type, inner, level, prefixes, target), result);
    }
}
