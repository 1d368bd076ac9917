package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.FoldKernel;
import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.KernelSpec.Access;
import io.github.broadloom.device.Accumulators;
import io.github.broadloom.device.DyadicFold;
import io.github.broadloom.expr.Reduction;
import io.github.broadloom.lanes.Casts;
import io.github.broadloom.lanes.Folds;
import io.github.broadloom.tensor.Tensor;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A reduction of trailing dimensions of what is broadcast, such as {@code ((a[n, 1, k] - b[1, m, k]) ** 2).sum(-1)}: its operands
 * are read again and again, so they are laid out once so that the neighbours in vector registers are results, not the
 * values of one result, and everything is folded in registers. The order of the additions is that of {@link RowPipeline}.
 *
 * <p>A block is some columns, the innermost kept loop, and as rows the whole reduced loop. One instance serves one thread.
 */
final class AcrossPass {
    /** As many columns as keep a group of rows and their results in the first-level cache. */
    private static final int BLOCK_COLUMNS = 256;

    /** Rows that are folded at a time. */
    private static final int FOLD_ROWS = 64;

    private static final int GROUP_LEVEL = Integer.numberOfTrailingZeros(FoldKernel.GROUP);

    private final FoldKernel kernel;
    private final Reduction reduction;
    private final AcrossNest nest;
    private final int rows;
    private final int width;
    private final List<AcrossOperand> operands = new ArrayList<>();
    private final Object[] arrays;
    private final DyadicFold fold;
    private final double[] groups;
    private final float[] best;
    private final double[] values;

    AcrossPass(
            FoldKernel kernel, Reduction reduction, Accumulators accumulators, AcrossNest nest, List<Tensor> tensors) {
        this.kernel = kernel;
        this.reduction = reduction;
        this.nest = nest;
        this.rows = nest.rows();
        this.width = blockColumns(nest);
        for (int i = 0; i < tensors.size(); i++) {
            operands.add(new AcrossOperand(tensors.get(i), nest.columnStride(i), nest.rowStride(i), rows, width));
        }
        this.arrays = operands.stream().map(AcrossOperand::array).toArray();
        this.fold = new DyadicFold(accumulators, width, 0, 1);
        this.groups = new double[FOLD_ROWS / FoldKernel.GROUP * width];
        this.best = new float[width];
        this.values = new double[width];
    }

    private static int blockColumns(AcrossNest nest) {
        long columns = Math.min(BLOCK_COLUMNS, nest.columns());
        int multiple = FoldKernel.COLUMN_MULTIPLE;
        return (int) ((columns + multiple - 1) / multiple * multiple);
    }

    /** The program over operands that vary as they do here. */
    static KernelSpec over(KernelSpec spec, AcrossNest nest) {
        List<Access> accesses = new ArrayList<>();
        for (int i = 0; i < spec.operands().size(); i++) {
            accesses.add(AcrossOperand.access(nest.columnStride(i), nest.rowStride(i)));
        }
        return spec.over(accesses);
    }

    /** Whether an operand's array is small enough to stay in the second-level cache. */
    static boolean fits(AcrossNest nest, int operands) {
        long elements = 0;
        for (int i = 0; i < operands; i++) {
            if (AcrossOperand.access(nest.columnStride(i), nest.rowStride(i)) == Access.VARYING) {
                elements += (long) nest.rows() * blockColumns(nest);
            }
        }
        return elements * Float.BYTES <= 512 << 10;
    }

    /** How many blocks there are: all of the first columns, then all of the next. */
    static long blocks(AcrossNest nest) {
        return (nest.columns() + blockColumns(nest) - 1) / blockColumns(nest) * nest.outer();
    }

    /** How many values are folded in a block. */
    static long blockElements(AcrossNest nest) {
        return (long) blockColumns(nest) * nest.rows();
    }

    /** Computes the blocks from {@code first} to before {@code end} and stores their results. */
    void run(long first, long end, RowStore store) {
        for (long block = first; block < end; block++) {
            long outer = block % nest.outer();
            long column = block / nest.outer() * width;
            int columns = (int) Math.min(width, nest.columns() - column);
            for (int i = 0; i < operands.size(); i++) {
                operands.get(i).load(nest.offset(i, outer) + column * nest.columnStride(i), columns);
            }
            store.at(nest.outputOffset(outer) + column);
            store.accept(reduction.isSum() ? sums() : extremes(), 0, columns);
        }
        Reference.reachabilityFence(operands);
    }

    private Object sums() {
        if (rows == FOLD_ROWS) { // eight groups of eight, and nothing to join them with
            kernel.fold(arrays, 0, rows, width, groups);
            Folds.addEights(groups, width, groups);
            return groups;
        }
        int whole = rows / FoldKernel.GROUP * FoldKernel.GROUP;
        for (int row = 0; row < whole; row += FOLD_ROWS) {
            int folded = Math.min(FOLD_ROWS, whole - row);
            kernel.fold(arrays, row, folded, width, groups);
            if (folded == FOLD_ROWS) {
                Folds.addEights(groups, width, groups);
                fold.acceptFolded(groups, 1, 2 * GROUP_LEVEL);
            } else {
                fold.acceptFolded(groups, folded / FoldKernel.GROUP, GROUP_LEVEL);
            }
        }
        for (int row = whole; row < rows; row++) {
            kernel.row(arrays, row, width, best);
            Casts.float32ToFloat64(best, values, width);
            fold.accept(values, 0, width);
        }
        return fold.finish();
    }

    private Object extremes() {
        Arrays.fill(best, reduction == Reduction.AMAX ? Float.NEGATIVE_INFINITY : Float.POSITIVE_INFINITY);
        kernel.fold(arrays, 0, rows, width, best);
        Casts.float32ToFloat64(best, values, width);
        return values;
    }
}
