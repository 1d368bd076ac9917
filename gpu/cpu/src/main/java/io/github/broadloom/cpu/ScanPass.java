package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.cpu.memory.MatrixReader;
import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.PairwiseFold;
import io.github.broadloom.cpu.reduce.ScanLoops;
import io.github.broadloom.cpu.reduce.ScanRenderer;
import io.github.broadloom.cpu.simd.SourceCompiler;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A scan along one dimension. With the sizes before it and after it multiplied, the tensor is a row of matrices, and the
 * columns of each are the lines: few of them are scanned one by one, many side by side.
 */
final class ScanPass {
    /** Fewer elements than this are not worth another thread. */
    private static final long GRAIN_ELEMENTS = 1 << 15;

    /** From so many columns on a loop over the columns of a row takes less time than those over the rows of a column. */
    private static final long FEWEST_SIDE_BY_SIDE = 48;

    private static final Map<String, ScanLoops> LOOPS = new ConcurrentHashMap<>();

    private final Along scan;
    private final ScanCarry carry;
    private final Accumulators accumulators;
    private final long rows;
    private final long columns;
    private final Tensor source;
    private final MatrixReader reader;
    private final Tensor result;

    private ScanPass(Along scan, Tensor operand, ScanCarry carry) {
        Shape shape = operand.shape();
        int dim = shape.rank() == 0 ? -1 : scan.dims()[0];
        this.scan = scan;
        this.carry = carry;
        this.accumulators = Accumulators.of(scan);
        this.rows = scan.lineLength();
        this.columns = count(shape, dim + 1);
        this.source = operand.reshape(shape.numel() / (rows * columns), rows, columns);
        this.reader = new MatrixReader(source);
        this.result = Tensors.empty(scan.dtype(), scan.shape());
    }

    private static long count(Shape shape, int firstDim) {
        long count = 1;
        for (int dim = firstDim; dim < shape.rank(); dim++) {
            count *= shape.size(dim);
        }
        return count;
    }

    /**
     * A fresh contiguous tensor with the results.
     *
     * @param carry of the rows before the operand's; {@link ScanCarry#NONE} but for a scan along dimension 0
     */
    static Tensor run(Along scan, Tensor operand, ScanCarry carry, int threads) {
        if (operand.numel() == 0) {
            return Tensors.empty(scan.dtype(), scan.shape());
        }
        ScanPass pass = new ScanPass(scan, operand, carry);
        pass.run(threads);
        if (pass.source.storage() != operand.storage()) {
            pass.source.storage().release();
        }
        return pass.result;
    }

    private void run(int threads) {
        Scanner model = columns < FEWEST_SIDE_BY_SIDE ? new LineScanner(this) : new RowScanner(this, threads);
        long grain = Math.max(1, GRAIN_ELEMENTS / model.pieceElements());
        Parallel.forRanges(threads, model.pieces(), Parallel.rangeLength(threads, model.pieces(), grain), model::fresh);
    }

    /** What scans pieces of the tensor that need nothing of each other. */
    interface Scanner extends Parallel.Worker {
        /** How many there are. */
        long pieces();

        /** The elements of one. */
        long pieceElements();

        /** Another one, for another thread. */
        Scanner fresh();
    }

    /**
     * What a chunk of rows contributes to a scan along dimension 0.
     *
     * @param firstRow the global index of the chunk's first row
     */
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
        operand.rows(0, shape.size(0)).loops().accept(List.of((elements, count, tile, firstElement) -> {
            accumulators.lift(dtype, elements, count, firstRow * rowElements + firstElement, lifted);
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

    ScanLoops loops() {
        String type = source.dtype().isFloatingPoint() ? "double" : "long";
        return LOOPS.computeIfAbsent(
                ScanRenderer.render(scan.op().join(), type),
                text -> SourceCompiler.compile(ScanRenderer.CLASS_NAME, text, ScanLoops.class));
    }

    Accumulators accumulators() {
        return accumulators;
    }

    ScanCarry carry() {
        return carry;
    }

    /** How many matrices there are. */
    long matrices() {
        return source.shape().size(0);
    }

    /** The rows of each matrix. */
    long rows() {
        return rows;
    }

    /** The columns of each matrix. */
    long columns() {
        return columns;
    }

    /** The dtype of the values. */
    DType dtype() {
        return source.dtype();
    }

    /** Whether a row is one piece of memory. */
    boolean columnsLieTogether() {
        return source.layout().stride(2) == 1;
    }

    /** The values. */
    MatrixReader source() {
        return reader;
    }

    /** Stored elements as accumulators, the first of them at that place of the result, row-major. */
    void lift(Object stored, int count, long place, Object into) {
        accumulators.lift(source.dtype(), stored, count, carry.firstRow() * columns + place, into);
    }

    /** Writes finished prefixes to the result, the first of them at that place, row-major. */
    void store(Object prefixes, int count, long place) {
        long address = result.address() + place * result.dtype().bytes();
        accumulators.store(prefixes, 0, count * accumulators.components(), result.dtype(), address);
    }
}
