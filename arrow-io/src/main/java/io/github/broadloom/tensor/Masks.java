package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.lang.ref.Reference;

/** Where elements of a tensor are not zero, and what lies there in others. */
public final class Masks {
    private Masks() {}

    /**
     * The places in row-major order, as PyTorch's {@code nonzero(as_tuple=True)}.
     *
     * @param mask bool or uint8, of the CPU, of any layout
     * @return for each dimension an int64 vector, as long as there are places
     */
    public static Tensor[] places(Tensor mask) {
        if (mask.dtype().bytes() != 1) {
            throw new IllegalArgumentException("Cannot use " + mask.dtype() + " as a mask; give bool or uint8");
        }
        Tensor bytes = mask.contiguous();
        Shape shape = mask.shape();
        long count = bytes.numel();
        long found = count(bytes);
        Tensor[] places = new Tensor[shape.rank()];
        for (int d = 0; d < places.length; d++) {
            places[d] = Tensors.empty(DType.INT64, Shape.of(found));
        }
        long at = 0;
        for (long i = 0; i < count; i++) {
            if (RawMemory.getByte(bytes.address() + i) != 0) {
                long rest = i;
                for (int d = places.length - 1; d >= 0; d--) {
                    RawMemory.putLong(places[d].address() + Long.BYTES * at, rest % shape.size(d));
                    rest /= shape.size(d);
                }
                at++;
            }
        }
        Reference.reachabilityFence(bytes);
        bytes.releaseCopyOf(mask);
        return places;
    }

    /** How many elements of a mask are not zero: bool or uint8, of the CPU, of any layout. */
    public static long count(Tensor mask) {
        Tensor bytes = mask.contiguous();
        long found = 0;
        for (long i = 0; i < bytes.numel(); i++) {
            found += RawMemory.getByte(bytes.address() + i) == 0 ? 0 : 1;
        }
        Reference.reachabilityFence(bytes);
        bytes.releaseCopyOf(mask);
        return found;
    }

    /**
     * The rows where a mask is true, in their order.
     *
     * @param x {@code [rows, …]}, of the CPU, of any layout
     * @param mask bool {@code [rows]}, as well
     * @return a fresh tensor of as many rows
     */
    public static Tensor rows(Tensor x, Tensor mask) {
        Tensor from = x.contiguous();
        Tensor bytes = mask.contiguous();
        long found = count(bytes);
        Tensor rows = Tensors.empty(x.dtype(), x.shape().with(0, found));
        long rowBytes = x.dtype().sizeBytes(x.shape().inner().numel());
        if (rows.numel() > 0) {
            switch ((int) Math.min(rowBytes, Long.BYTES + 1)) {
                case Integer.BYTES -> ints(from.address(), bytes.address(), rows.address(), found);
                case Long.BYTES -> longs(from.address(), bytes.address(), rows.address(), found);
                default -> runs(from.address(), bytes.address(), bytes.numel(), rows.address(), rowBytes);
            }
        }
        Reference.reachabilityFence(rows);
        bytes.releaseCopyOf(mask);
        from.releaseCopyOf(x);
        return rows;
    }

    /** Each is written, and the next one over it where it is not meant: no branch that a processor would have to guess. */
    private static void ints(long from, long mask, long to, long count) {
        for (long i = 0, at = 0; at < count; i++) {
            RawMemory.putInt(to + Integer.BYTES * at, RawMemory.getInt(from + Integer.BYTES * i));
            at += RawMemory.getByte(mask + i) == 0 ? 0 : 1;
        }
    }

    private static void longs(long from, long mask, long to, long count) {
        for (long i = 0, at = 0; at < count; i++) {
            RawMemory.putLong(to + Long.BYTES * at, RawMemory.getLong(from + Long.BYTES * i));
            at += RawMemory.getByte(mask + i) == 0 ? 0 : 1;
        }
    }

    private static void runs(long from, long mask, long count, long to, long rowBytes) {
        long at = to;
        for (long i = 0; i < count; ) {
            long first = i;
            while (i < count && RawMemory.getByte(mask + i) != 0) {
                i++;
            }
            if (i > first) {
                RawMemory.copy(from + first * rowBytes, at, (i - first) * rowBytes);
                at += (i - first) * rowBytes;
            } else {
                i++;
            }
        }
    }
}
