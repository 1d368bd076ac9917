package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.cpu.memory.MatrixReader;
import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.PairwiseFold;
import io.github.broadloom.cpu.reduce.ScanLoops;
import io.github.broadloom.cpu.reduce.ScanRenderer;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.function.Supplier;

/**
 * A scan along one dimension. With the sizes before it and after it multiplied, the tensor is a row of matrices, and the
 * columns of each are the lines: few of them are scanned one by one, many side by side.
 *
 * @param source the values, of rank 3
 */
record ScanPass(
        ScanLoops loops,
        Accumulators accumulators,
        ScanCarry carry,
        Tensor source,
        MatrixReader reader,
        Tensor result) {
    /** Fewer elements than this are not worth another thread. */
    private static final long GRAIN_ELEMENTS = 1 << 15;

    /** From so many columns on a loop over the columns of a row takes less time than those over the rows of a column. */
    private static final long FEWEST_SIDE_BY_SIDE = 48;

    /** What scans pieces of the tensor that need nothing of each other. */
    interface Scanner extends Parallel.Worker {
        long pieces();

        long pieceElements();
    }

    /**
     * A fresh contiguous tensor with the results.
     *
     * @param carry of the rows before the operand's; {@link ScanCarry#NONE} but for a scan along dimension 0
     */
    static Tensor run(Along scan, Tensor operand, ScanCarry carry, int threads) {
        Tensor result = Tensors.empty(scan.dtype(), scan.shape());
        if (operand.numel() == 0) {
            return result;
        }
        Shape shape = operand.shape();
        long rows = scan.lineLength();
        long columns = 1;
        for (int dim = shape.rank() == 0 ? 0 : scan.dims()[0] + 1; dim < shape.rank(); dim++) {
            columns *= shape.size(dim);
        }
        Tensor source = operand.reshape(shape.numel() / (rows * columns), rows, columns);
        ScanLoops loops = ScanRenderer.loops(scan.op().join(), operand.dtype().isFloatingPoint() ? "double" : "long");
        new ScanPass(loops, Accumulators.of(scan), carry, source, new MatrixReader(source), result).run(threads);
        if (source.storage() != operand.storage()) {
            source.storage().release();
        }
        return result;
    }

    private void run(int threads) {
        Supplier<Scanner> scanners =
                columns() < FEWEST_SIDE_BY_SIDE ? () -> new LineScanner(this) : () -> new RowScanner(this, threads);
        Scanner model = scanners.get();
        long grain = Math.max(1, GRAIN_ELEMENTS / model.pieceElements());
        long length = Parallel.rangeLength(threads, model.pieces(), grain);
        Parallel.forRanges(threads, model.pieces(), length, scanners::get);
    }

    /** What a chunk of rows, the first of which has that number among all, contributes to a scan along dimension 0. */
    static List<FoldNode> nodes(Along chunk, long firstRow, PointwisePass operand) {
        Shape shape = chunk.operand().shape();
        if (shape.numel() == 0) {
            return List.of();
        }
        Accumulators accumulators = Accumulators.of(chunk);
        int components = accumulators.components();
        long rowElements = shape.inner().numel();
        DType dtype = chunk.operand().dtype();
        PairwiseFold fold = new PairwiseFold(accumulators, width(rowElements * components), firstRow, 1);
        Object lifted = accumulators.allocate(TileKernel.CAPACITY * components);
        new RowTiles(List.of(operand), 0, shape.size(0)).loops().accept(List.of((elements, count, at) -> {
            accumulators.lift(dtype, elements, count, firstRow * rowElements + at.firstElement(), lifted);
            fold.accept(lifted, 0, count * components);
        }));
        return fold.nodes();
    }

    private static int width(long numbers) {
        if (numbers > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("Cannot scan dimension 0: " + numbers
                    + " numbers do not fit in an array; scan slices of the inner dimensions");
        }
        return (int) numbers;
    }

    long matrices() {
        return source.shape().size(0);
    }

    /** Of each matrix. */
    long rows() {
        return source.shape().size(1);
    }

    /** Of each matrix. */
    long columns() {
        return source.shape().size(2);
    }

    DType dtype() {
        return source.dtype();
    }

    /** Stored elements as accumulators, the first of them at that place of the result, row-major. */
    void lift(Object stored, int count, long place, Object into) {
        accumulators.lift(dtype(), stored, count, carry.firstRow() * columns() + place, into);
    }

    /** Writes finished prefixes to the result, the first of them at that place, row-major. */
    void store(Object prefixes, int count, long place) {
        long address = result.address() + place * result.dtype().bytes();
        accumulators.store(prefixes, 0, count * accumulators.components(), result.dtype(), address);
    }
}
