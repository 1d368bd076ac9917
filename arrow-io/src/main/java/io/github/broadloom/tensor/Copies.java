package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.lang.ref.Reference;
import java.util.Arrays;

/** Everything that makes a tensor with a storage of its own out of another; the results are row-major without gaps. */
final class Copies {
    private Copies() {}

    static Tensor copy(Tensor source) {
        Tensor target = Tensors.empty(source.dtype(), source.shape());
        fill(source, source.layout().strides(), source.address(), target);
        return target;
    }

    /** Copies a source of the target's shape, walked with these strides from that address, into the target. */
    private static void fill(Tensor source, long[] strides, long address, Tensor target) {
        StridedCopy.copy(
                target.shape().toArray(),
                strides,
                address,
                target.layout().strides(),
                target.address(),
                source.dtype().bytes());
        Reference.reachabilityFence(source);
        Reference.reachabilityFence(target);
    }

    static Tensor cast(Tensor source, DType dtype) {
        if (source.dtype() == dtype) {
            return source;
        }
        Tensor packed = source.contiguous();
        Tensor target = Tensors.empty(dtype, source.shape());
        Elements.cast(source.dtype(), packed.address(), dtype, target.address(), source.numel());
        Reference.reachabilityFence(packed);
        Reference.reachabilityFence(target);
        return target;
    }

    static Tensor repeat(Tensor source, long... repeats) {
        int added = repeats.length - source.rank();
        if (added < 0) {
            throw new IllegalArgumentException(
                    "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
        }
        // Dimension d becomes two, [repeats[d], size(d)]: the first one repeats the source with stride 0.
        long[] sizes = new long[repeats.length];
        long[] pairs = new long[2 * repeats.length];
        long[] ones = new long[2 * repeats.length];
        Arrays.fill(ones, 1);
        for (int dim = 0; dim < repeats.length; dim++) {
            long size = dim < added ? 1 : source.shape().size(dim - added);
            pairs[2 * dim] = repeats[dim];
            pairs[2 * dim + 1] = size;
            ones[2 * dim + 1] = size;
            sizes[dim] = Math.multiplyHigh(repeats[dim], size) == 0 ? repeats[dim] * size : Long.MAX_VALUE;
        }
        Tensor target = Tensors.empty(source.dtype(), Shape.of(sizes));
        Tensor repeated = source.reshape(ones).expand(pairs);
        fill(repeated, repeated.layout().strides(), repeated.address(), target.view(pairs));
        return target;
    }

    static Tensor flip(Tensor source, int... dims) {
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
        fill(
                source,
                strides,
                source.storage().address() + first * source.dtype().bytes(),
                target);
        return target;
    }

    /** Writes a source, cast and broadcast, over the elements of a target. */
    static void copyInto(Tensor source, Tensor target) {
        Shape common = Broadcasting.broadcastShapes(target.shape(), source.shape());
        if (!common.equals(target.shape())) {
            throw new IllegalArgumentException(
                    "output with shape " + target.shape() + " doesn't match the broadcast shape " + common);
        }
        Tensor cast = cast(source, target.dtype());
        if (cast.storage() == target.storage()) {
            cast = copy(cast); // the two may overlap: as if the source had been copied first
        }
        Tensor expanded = cast.expandAs(target);
        fill(expanded, expanded.layout().strides(), expanded.address(), target);
    }
}
