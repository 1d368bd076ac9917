package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.FoldKernel;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The loops of an {@link AcrossPass}: one reduced loop, its rows; the innermost kept loop, its columns; and the kept loops around
 * those, here as one number. Strides and offsets are in elements.
 *
 * @param accesses how each operand varies over rows and columns
 */
record AcrossNest(LoopNest kept, LoopNest reduced, List<Access> accesses) {
    /** With fewer columns the registers stay empty. */
    private static final int FEWEST_COLUMNS = 64;

    /** As many columns as keep a group of rows and their results in the first-level cache, and loops over them long. */
    private static final int BLOCK_COLUMNS = 512;

    /** Of the operands' arrays: half a second-level cache. */
    private static final int MOST_BYTES = 512 << 10;

    /** A single one is nothing to fold. */
    private static final int FEWEST_ROWS = 2;

    /** How many times operands are read at least, so that it pays to lay them out anew. */
    private static final int REPETITIONS = 8;

    /** The nest of a reduction, where it is one of trailing dimensions of what is broadcast. */
    static Optional<AcrossNest> of(Reduce reduce, Shape shape, List<Tensor> operands) {
        int[] dims = reduce.dims();
        int keptRank = shape.rank() - dims.length;
        boolean trailing = keptRank > 0 && dims.length > 0 && dims[0] == keptRank;
        if (!trailing || shape.numel() < REPETITIONS * elements(operands)) {
            return Optional.empty();
        }
        LoopNest kept = nest(shape, operands, 0, keptRank);
        LoopNest reduced = nest(shape, operands, keptRank, shape.rank());
        boolean suits = reduced.rank() == 1
                && reduced.size(0) >= FEWEST_ROWS
                && reduced.size(0) <= Integer.MAX_VALUE
                && kept.rank() > 0
                && kept.size(kept.rank() - 1) >= FEWEST_COLUMNS;
        if (!suits) {
            return Optional.empty();
        }
        List<Access> accesses = IntStream.range(0, operands.size())
                .mapToObj(operand -> access(kept.stride(operand, kept.rank() - 1), reduced.stride(operand, 0)))
                .toList();
        return Optional.of(new AcrossNest(kept, reduced, accesses)).filter(AcrossNest::fits);
    }

    private static long elements(List<Tensor> operands) {
        return operands.stream()
                .mapToLong(tensor -> IntStream.range(0, tensor.rank())
                        .filter(dim -> tensor.layout().stride(dim) != 0)
                        .mapToLong(dim -> tensor.shape().size(dim))
                        .reduce(1, (a, b) -> a * b))
                .sum();
    }

    private static LoopNest nest(Shape shape, List<Tensor> operands, int firstDim, int endDim) {
        Shape part = Shape.of(Arrays.copyOfRange(shape.toArray(), firstDim, endDim));
        List<Layout> layouts = operands.stream()
                .map(tensor -> Layout.of(
                        part, Arrays.copyOfRange(tensor.layout().expand(shape).strides(), firstDim, endDim), 0))
                .toList();
        return LoopNest.of(Layout.contiguous(part), layouts);
    }

    int rows() {
        return (int) reduced.size(0);
    }

    long columns() {
        return kept.size(kept.rank() - 1);
    }

    long outer() {
        long outer = 1;
        for (int loop = 0; loop < kept.rank() - 1; loop++) {
            outer *= kept.size(loop);
        }
        return outer;
    }

    private static Access access(long columnStride, long rowStride) {
        if (columnStride == 0) {
            return rowStride == 0 ? Access.CONSTANT : Access.ROW;
        }
        return rowStride == 0 ? Access.COLUMN : Access.VARYING;
    }

    long rowStride(int operand) {
        return reduced.stride(operand, 0);
    }

    long columnStride(int operand) {
        return kept.stride(operand, kept.rank() - 1);
    }

    /** Where an operand's first column lies for one iteration of the loops around. */
    long offset(int operand, long outer) {
        long offset = 0;
        long left = outer;
        for (int loop = kept.rank() - 2; loop >= 0; loop--) {
            offset += left % kept.size(loop) * kept.stride(operand, loop);
            left /= kept.size(loop);
        }
        return offset;
    }

    /** As many columns as leave room for all rows in the second-level cache, where there are enough. */
    int blockColumns() {
        long wanted = Math.min(BLOCK_COLUMNS, columns());
        long room = MOST_BYTES / Math.max(1, columnBytes());
        int multiple = FoldKernel.COLUMN_MULTIPLE;
        long used = Math.max(FEWEST_COLUMNS, Math.min(wanted, room / multiple * multiple));
        return (int) ((used + multiple - 1) / multiple * multiple);
    }

    /** What the operands have for each column. */
    private long columnBytes() {
        return Collections.frequency(accesses, Access.VARYING) * reduced.size(0) * Float.BYTES;
    }

    /** Whether the operands' arrays are small enough to stay in the second-level cache. */
    private boolean fits() {
        return columnBytes() * blockColumns() <= MOST_BYTES;
    }

    /** How many blocks there are: all of the first columns, then all of the next. */
    long blocks() {
        return (columns() + blockColumns() - 1) / blockColumns() * outer();
    }

    long blockElements() {
        return (long) blockColumns() * rows();
    }

    @Override
    public String toString() {
        return kept + " across " + reduced;
    }
}
