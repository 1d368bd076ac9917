package io.github.broadloom.cpu;

import io.github.broadloom.cpu.reduce.LineReader;
import io.github.broadloom.cpu.reduce.OrderStatistics;
import io.github.broadloom.cpu.reduce.WideElements;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/** Applies a function to every line of a tensor that takes all of it at a time: reads the line, computes, writes the result. The lines are shared by threads. */
final class LinePass implements Parallel.Worker {
    /** Fewer elements than this are not worth another thread. */
    private static final long GRAIN_ELEMENTS = 1 << 13;

    private final LineOp op;
    private final int length;
    private final DType from;
    private final LineReader reader;
    private final Tensor result;
    private final Object values;
    private final Object one;

    private LinePass(Along along, LineReader reader, Tensor result) {
        this.op = along.op();
        this.length = length(along);
        this.from = along.operand().dtype();
        this.reader = reader;
        this.result = result;
        this.values = WideElements.allocate(from, length);
        this.one = WideElements.allocate(result.dtype(), 1);
    }

    /** How many values a line has, which stand in an array. */
    static int length(Along along) {
        if (along.lineLength() > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("Cannot compute " + along + ": a line of " + along.lineLength()
                    + " values does not fit in an array; go along a shorter dimension");
        }
        return (int) along.lineLength();
    }

    static Tensor run(Along along, Tensor operand, int threads) {
        Tensor result = Tensors.empty(along.dtype(), along.shape());
        if (result.numel() > 0) {
            int[] dims = along.dims();
            boolean whole = dims.length != 1; // all values in row-major order, of a scalar its one
            Tensor source = whole ? operand.contiguous() : operand;
            try {
                Layout layout = whole ? source.flatten().layout() : source.layout();
                Layout lines =
                        layout.movedim(whole ? 0 : dims[0], layout.shape().rank() - 1);
                forLines(
                        along,
                        result.numel(),
                        threads,
                        () -> new LinePass(along, new LineReader(source, lines), result));
            } finally {
                source.releaseCopyOf(operand);
            }
        }
        return result;
    }

    /** Has workers go over so many lines, of which each thread's has one at a time. */
    static void forLines(Along along, long lines, int threads, Supplier<Parallel.Worker> workers) {
        MemoryMeter.array(along.lineBytes());
        long grain = Math.max(1, GRAIN_ELEMENTS / Math.max(1, along.lineLength()));
        Parallel.forRanges(threads, lines, Parallel.rangeLength(threads, lines, grain), workers);
    }

    @Override
    public void run(long first, long end) {
        DType to = result.dtype();
        for (long line = first; line < end; line++) {
            if (length > 0) {
                reader.read(line);
                WideElements.read(from, reader.line(), length, values);
            }
            compute();
            WideElements.write(one, 0, 1, 1, to, result.address() + line * to.bytes());
        }
    }

    private void compute() {
        switch (op.kind()) {
            case QUANTILE, NANQUANTILE -> OrderStatistics.quantile(op, from, (double[]) values, length, (double[]) one);
            case NUCLEAR_NORM -> ((double[]) one)[0] = nuclearNorm((double[]) values, (int) op.number());
            default -> OrderStatistics.median(op.kind(), values, length, one);
        }
    }

    /**
     * The sum of the singular values of a matrix, which Commons Math decomposes; NaN where a value is infinite, and 0 of a matrix without values.
     *
     * @param values row by row
     * @throws IllegalArgumentException with PyTorch's text, where a value is NaN
     */
    private static double nuclearNorm(double[] values, int columns) {
        if (Arrays.stream(values).anyMatch(Double::isNaN)) {
            throw new IllegalArgumentException("linalg.svd: The algorithm failed to converge because the input matrix"
                    + " contained non-finite values.");
        }
        double greatest = Arrays.stream(values).map(Math::abs).max().orElse(0);
        if (greatest == 0 || Double.isInfinite(greatest)) {
            return greatest == 0 ? 0 : Double.NaN;
        }
        int exponent = Math.getExponent(greatest); // squares neither overflow nor vanish
        double[][] rows = new double[values.length / columns][columns];
        for (int i = 0; i < values.length; i++) {
            rows[i / columns][i % columns] = Math.scalb(values[i], -exponent);
        }
        SingularValueDecomposition decomposed = new SingularValueDecomposition(new Array2DRowRealMatrix(rows, false));
        return Math.scalb(Arrays.stream(decomposed.getSingularValues()).sum(), exponent);
    }
}
