package io.github.broadloom.device.cpu;

import io.github.broadloom.device.FloatingElements;
import io.github.broadloom.device.IntegerElements;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.util.List;

/** Applies a function to every line of a tensor: reads the line, computes, writes the line or the one result. */
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
        this.stored = StoredArrays.allocate(from, length);
        this.values = allocate(from, length);
        this.results = allocate(to, along.op().kind().isScan() ? length : 1);
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
        boolean scan = along.op().kind().isScan();
        int[] dims = along.dims();
        boolean whole = dims.length != 1; // all values in row-major order, of a scalar its one
        Tensor source = whole ? operand.contiguous() : operand;
        Layout in = lastDim(whole ? source.flatten().layout() : source.layout(), whole ? 0 : dims[0]);
        Layout out = scan ? lastDim(whole ? result.flatten().layout() : result.layout(), whole ? 0 : dims[0]) : in;
        int last = in.shape().rank() - 1;
        long lines = length == 0 ? 1 : operand.numel() / length;
        int bytes = from.bytes();
        StridedCopy read =
                new StridedCopy(bytes, List.of(new StridedCopy.Loop(length, in.stride(last) * bytes, bytes)));
        for (long line = 0; line < lines; line++) {
            if (length > 0) {
                load(read, source, start(in, line));
            }
            LineFunctions.apply(along.op(), from, values, length, results);
            if (scan) {
                store(result, start(out, line), out.stride(last), length);
            } else {
                store(result, line, 1, 1);
            }
        }
        if (source.storage() != operand.storage()) {
            source.storage().release();
        }
        Reference.reachabilityFence(operand);
        Reference.reachabilityFence(result);
    }

    private static Layout lastDim(Layout layout, int dim) {
        return layout.movedim(dim, layout.shape().rank() - 1);
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

    private void load(StridedCopy read, Tensor source, long element) {
        long address = source.storage().address() + element * from.bytes();
        read.copy(null, address, stored, RawMemory.firstElement(stored));
        if (values instanceof double[] doubles) {
            FloatingElements.read(from, stored, length, doubles);
        } else {
            IntegerElements.read(from, stored, length, (long[]) values);
        }
    }

    private void store(Tensor result, long element, long stride, int count) {
        long address = result.storage().address() + element * to.bytes();
        long step = stride * to.bytes();
        for (int i = 0; i < count; i++) {
            if (results instanceof double[] doubles) {
                FloatingElements.write(doubles[i], to, address + i * step, 0);
            } else {
                IntegerElements.write(((long[]) results)[i], to, address + i * step, 0);
            }
        }
    }
}
