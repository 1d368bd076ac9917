package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Overlap;
import io.github.broadloom.shape.Repetition;
import io.github.broadloom.shape.Shape;

/** Everything that makes a tensor with a storage of its own out of another; the results are row-major without gaps. */
final class Copies {
    private static final long CAST_ELEMENTS = 1 << 16;

    private Copies() {}

    static Tensor copy(Tensor source) {
        try (Hold held = Hold.of(source)) {
            return copyHeld(source, source.dtype());
        }
    }

    static Tensor cast(Tensor source, DType dtype) {
        if (source.dtype() == dtype) {
            return source;
        }
        try (Hold held = Hold.of(source)) {
            return copyHeld(source, dtype);
        }
    }

    private static Tensor copyHeld(Tensor source, DType dtype) {
        return Transfers.filled(Tensors.empty(dtype, source.shape(), source.device()), target -> write(source, target));
    }

    /** Writes a source, cast, over a target of its shape and device; both are held. */
    private static void write(Tensor source, Tensor target) {
        if (!target.device().isCpu()) {
            Transfers.memory(target.device()).copy(source, target);
        } else if (source.dtype() == target.dtype()) {
            copyElements(source, source.layout().strides(), source.address(), target);
        } else if (source.isContiguous() && target.isContiguous()) {
            Elements.cast(source.dtype(), source.address(), target.dtype(), target.address(), source.numel());
        } else if (source.numel() > CAST_ELEMENTS) {
            int dim = 0; // in pieces, so that what is cast never takes the memory of the whole
            while (source.shape().size(dim) == 1) {
                dim++;
            }
            long size = source.shape().size(dim);
            long half = size / 2;
            write(source.narrow(dim, 0, half), target.narrow(dim, 0, half));
            write(source.narrow(dim, half, size - half), target.narrow(dim, half, size - half));
        } else {
            writePiece(source, target);
        }
    }

    private static void writePiece(Tensor source, Tensor target) {
        if (source.isContiguous()) {
            Tensor cast = copyHeld(source, target.dtype());
            write(cast, target);
            cast.release();
        } else {
            Tensor packed = copyHeld(source, source.dtype());
            write(packed, target);
            packed.release();
        }
    }

    /** Copies a source of the target's shape and dtype, walked with these strides from that address. */
    private static void copyElements(Tensor source, long[] strides, long address, Tensor target) {
        BoxCopy.of(
                        source.dtype().bytes(),
                        target.shape().toArray(),
                        strides,
                        target.layout().strides())
                .copy(null, address, null, target.address());
    }

    static Tensor repeat(Tensor source, Repetition repetition) {
        long[] pairs = repetition.pairs().toArray();
        Tensor single = source.reshape(repetition.single().toArray());
        try (Hold held = Hold.of(single)) {
            return Transfers.filled(
                    Tensors.empty(source.dtype(), repetition.result(), source.device()),
                    target -> write(single.expand(pairs), target.view(pairs)));
        }
    }

    static Tensor flip(Tensor source, int... dims) {
        if (!source.device().isCpu()) { // no layout has steps backwards
            return flip(source.to(Device.CPU), dims).to(source.device());
        }
        Layout layout = source.layout();
        long[] strides = layout.strides();
        long first = layout.offset();
        boolean[] flipped = new boolean[Math.max(1, source.rank())];
        for (int dim : dims) {
            int at = source.shape().normalizeDim(dim);
            if (flipped[at]) {
                throw new IllegalArgumentException("dim " + at + " appears multiple times in the list of dims");
            }
            flipped[at] = true;
            if (source.rank() > 0 && source.numel() > 0) {
                first += (source.shape().size(at) - 1) * strides[at];
                strides[at] = -strides[at];
            }
        }
        Tensor target = Tensors.empty(source.dtype(), source.shape());
        try (Hold held = Hold.of(source)) {
            copyElements(
                    source,
                    strides,
                    source.storage().address() + first * source.dtype().bytes(),
                    target);
        }
        return target;
    }

    static Tensor repeatInterleave(Tensor source, long repeats, int dim) {
        if (repeats < 0) {
            throw new IllegalArgumentException("Repeats must be non-negative");
        }
        int at = source.shape().normalizeDim(dim);
        Tensor flat = source.rank() == 0 ? source.view(1) : source;
        long[] pairs = flat.unsqueeze(at + 1).shape().toArray();
        pairs[at + 1] = repeats;
        Shape sizes =
                flat.shape().with(at, Repetition.product(repeats, flat.shape().size(at)));
        return copy(flat.unsqueeze(at + 1).expand(pairs)).view(sizes.toArray());
    }

    /** Writes one element to all places of a target; places that repeat are written once. */
    static void fillWith(Tensor element, Tensor target) {
        target.storage().requireWritable();
        Tensor distinct = target;
        for (int dim = 0; dim < target.rank(); dim++) {
            if (target.layout().stride(dim) == 0 && target.shape().size(dim) > 1) {
                distinct = distinct.narrow(dim, 0, 1);
            }
        }
        Tensor there = element.to(target.device());
        try (Hold held = Hold.of(there, target)) {
            write(there.expandAs(distinct), distinct);
            target.storage().markWritten();
        }
    }

    /** Writes a source, cast and broadcast, over the elements of a target. */
    static void copyInto(Tensor source, Tensor target) {
        target.storage().requireWritable();
        Overlap.requireDistinctElements(target.layout());
        Shape common = Broadcasting.broadcastShapes(target.shape(), source.shape());
        if (!common.equals(target.shape())) {
            throw new IllegalArgumentException(
                    "output with shape " + target.shape() + " doesn't match the broadcast shape " + common);
        }
        Tensor there = source.to(target.device());
        try (Hold held = Hold.of(there, target)) {
            Tensor separate = Aliasing.of(there, target) == Aliasing.CROSSING ? copyHeld(there, there.dtype()) : there;
            try {
                write(separate.expandAs(target), target);
                target.storage().markWritten();
            } finally {
                separate.releaseCopyOf(there);
            }
        } finally {
            there.releaseCopyOf(source);
        }
    }
}
