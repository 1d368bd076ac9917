package io.github.broadloom.cpu;

import io.github.broadloom.cpu.reduce.FloatingElements;
import io.github.broadloom.cpu.reduce.IntegerElements;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.BoxCopy;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;

/** Applies a function to every line of a tensor that takes all of it at a time: reads the line, computes, writes the result. */
final class LinePass {
    private final Along along;
    private final int length;
    private final DType from;
    private final DType to;
    private final Object stored;
    private final Object values;
    private final Object results;

    private LinePass(Along along) {
        this.along = along;
        this.length = length(along);
        this.from = along.operand().dtype();
        this.to = along.dtype();
        MemoryMeter.array((long) length * along.lineBytesPerValue());
        this.stored = from.primitive().newArray(length);
        this.values = allocate(from, length);
        this.results = allocate(to, 1);
    }

    private static int length(Along along) {
        if (along.lineLength() > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("Cannot compute " + along + ": a line of " + along.lineLength()
                    + " values does not fit in an array; go along a shorter dimension");
        }
        return (int) along.lineLength();
    }

    private static Object allocate(DType dtype, int length) {
        return dtype.isFloatingPoint() ? new double[length] : new long[length];
    }

    /** A fresh contiguous tensor with the results. */
    static Tensor run(Along along, Tensor operand) {
        Tensor result = Tensors.empty(along.dtype(), along.shape());
        if (result.numel() > 0) {
            new LinePass(along).lines(operand, result);
        }
        return result;
    }

    private void lines(Tensor operand, Tensor result) {
        int[] dims = along.dims();
        boolean whole = dims.length != 1; // all values in row-major order, of a scalar its one
        Tensor source = whole ? operand.contiguous() : operand;
        Layout layout = whole ? source.flatten().layout() : source.layout();
        int last = layout.shape().rank() - 1;
        Layout in = layout.movedim(whole ? 0 : dims[0], last);
        long lines = result.numel();
        int bytes = from.bytes();
        BoxCopy read = new BoxCopy(bytes, List.of(new BoxCopy.Loop(length, in.stride(last) * bytes, bytes)));
        for (long line = 0; line < lines; line++) {
            if (length > 0) {
                load(read, source, start(in, line));
            }
            compute();
            store(result.storage().address() + (result.layout().offset() + line) * to.bytes());
        }
        if (source.storage() != operand.storage()) {
            source.storage().release();
        }
    }

    /** The first element of a line, counted in elements from the start of the storage. */
    private static long start(Layout layout, long line) {
        long offset = layout.offset();
        long rest = line;
        for (int dim = layout.shape().rank() - 2; dim >= 0; dim--) {
            offset += rest % layout.shape().size(dim) * layout.stride(dim);
            rest /= layout.shape().size(dim);
        }
        return offset;
    }

    private void load(BoxCopy read, Tensor source, long element) {
        long address = source.storage().address() + element * from.bytes();
        read.copy(null, address, stored, RawMemory.firstElement(stored));
        if (values instanceof double[] doubles) {
            FloatingElements.read(from, stored, length, doubles);
        } else {
            IntegerElements.read(from, stored, length, (long[]) values);
        }
    }

    private void compute() {
        LineOp op = along.op();
        switch (op.kind()) {
            case QUANTILE, NANQUANTILE ->
                OrderStatistics.quantile(op, from, (double[]) values, length, (double[]) results);
            case NUCLEAR_NORM -> ((double[]) results)[0] = SingularValues.sum((double[]) values, (int) op.number());
            default -> OrderStatistics.median(op.kind(), values, length, results);
        }
    }

    private void store(long address) {
        if (results instanceof double[] doubles) {
            FloatingElements.write(doubles[0], to, address, 0);
        } else {
            IntegerElements.write(((long[]) results)[0], to, address, 0);
        }
    }
}
