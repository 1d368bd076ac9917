package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.FoldKernel;
import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.PairwiseFold;
import io.github.broadloom.cpu.simd.Casts;
import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.Tensor;
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
    private static final int GROUP_LEVEL = Integer.numberOfTrailingZeros(FoldKernel.GROUP);

    private final FoldKernel kernel;
    private final Reduction reduction;
    private final AcrossNest nest;
    private final int rows;
    private final int width;
    private final List<AcrossOperand> operands = new ArrayList<>();
    private final Object[] arrays;
    private final PairwiseFold fold;
    private final double[] nodes;
    private final float[] best;
    private final double[] values;

    AcrossPass(
            FoldKernel kernel, Reduction reduction, Accumulators accumulators, AcrossNest nest, List<Tensor> tensors) {
        this.kernel = kernel;
        this.reduction = reduction;
        this.nest = nest;
        this.rows = nest.rows();
        this.width = nest.blockColumns();
        for (int i = 0; i < tensors.size(); i++) {
            operands.add(new AcrossOperand(
                    tensors.get(i), nest.columnStride(i), nest.rowStride(i), rows, width, kernel.lanes()));
        }
        this.arrays = operands.stream().map(AcrossOperand::array).toArray();
        this.fold = new PairwiseFold(accumulators, width, 0, 1);
        this.nodes = new double[FoldKernel.levels(rows) * width];
        this.best = new float[width + Simd.SPARE];
        this.values = new double[width];
    }

    void run(long first, long end, RowStore store) {
        for (long block = first; block < end; block++) {
            Cancellation.check();
            long outer = block % nest.outer();
            long column = block / nest.outer() * width;
            int columns = (int) Math.min(width, nest.columns() - column);
            for (int i = 0; i < operands.size(); i++) {
                operands.get(i).load(nest.offset(i, outer) + column * nest.columnStride(i), columns);
            }
            store.at(outer * nest.columns() + column);
            if (reduction.isSum()) {
                sums(columns, store);
            } else {
                extremes(columns, store);
            }
        }
    }

    private void sums(int columns, RowStore store) {
        int whole = rows & -FoldKernel.GROUP;
        int top = FoldKernel.levels(rows) - 1;
        kernel.fold(arrays, whole, width, nodes);
        if (whole == rows && Integer.bitCount(rows) == 1) { // one tree
            store.accept(nodes, top * width, columns);
            return;
        }
        for (int level = top; level >= GROUP_LEVEL; level--) {
            if ((whole >> level & 1) == 1) {
                fold.acceptFolded(nodes, level * width, 1, level);
            }
        }
        for (int row = whole; row < rows; row++) {
            kernel.row(arrays, row, width, best);
            Casts.float32ToFloat64(best, values, width);
            fold.accept(values, 0, width);
        }
        store.accept(fold.finish(), 0, columns);
    }

    private void extremes(int columns, RowStore store) {
        Arrays.fill(best, reduction == Reduction.AMAX ? Float.NEGATIVE_INFINITY : Float.POSITIVE_INFINITY);
        kernel.fold(arrays, rows, width, best);
        Casts.float32ToFloat64(best, values, width);
        store.accept(values, 0, columns);
    }
}
