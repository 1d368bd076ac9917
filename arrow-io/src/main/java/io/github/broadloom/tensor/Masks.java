package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.lang.ref.Reference;

/** Where elements of a tensor are not zero. */
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
        long found = 0;
        for (long i = 0; i < count; i++) {
            found += RawMemory.getByte(bytes.address() + i) == 0 ? 0 : 1;
        }
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
}
