package io.github.broadloom.device.cpu;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Seeded tensors of any dtype, as strided views. */
final class RandomTensors {
    private final Random random;

    RandomTensors(long seed) {
        this.random = new Random(seed);
    }

    Random random() {
        return random;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    DType dtype() {
        return DType.values()[below(DType.values().length)];
    }

    /** Sizes of 0 to 5, seldom 0, often 1. */
    Shape shape(int maxRank) {
        long[] sizes = new long[below(maxRank + 1)];
        for (int i = 0; i < sizes.length; i++) {
            int roll = below(20);
            sizes[i] = roll == 0 ? 0 : roll < 6 ? 1 : 1 + below(sizes.length > 5 ? 2 : 5);
        }
        return Shape.of(sizes);
    }

    /** A shape that broadcasts into {@code target}: leading dimensions gone, some sizes one. */
    Shape broadcastInto(Shape target) {
        int dropped = below(target.rank() + 1) * below(2);
        long[] sizes = new long[target.rank() - dropped];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = below(3) == 0 ? 1 : target.size(i + dropped);
        }
        return Shape.of(sizes);
    }

    /** A tensor whose layout is contiguous, permuted, stepped, shifted or broadcast. */
    Tensor tensor(DType dtype, Shape shape) {
        long[] sizes = shape.toArray();
        long step = 1 + below(2);
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = sizes[i] * step + below(2);
        }
        Integer[] order = permutation(sizes.length);
        long[] stored = new long[sizes.length];
        int[] back = new int[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            stored[i] = sizes[order[i]];
            back[order[i]] = i;
        }
        boolean plain = below(3) == 0;
        Shape storage = plain ? shape : Shape.of(stored);
        Tensor whole = Tensors.fromStorageValues(dtype, Layout.contiguous(storage), values(dtype, storage.numel()));
        if (plain) {
            return whole;
        }
        Tensor view = whole.permute(back);
        for (int i = 0; i < sizes.length; i++) {
            view = view.slice(i, null, shape.size(i) * step, step);
        }
        return view;
    }

    private Integer[] permutation(int rank) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < rank; i++) {
            order.add(below(i + 1), i);
        }
        return order.toArray(Integer[]::new);
    }

    private List<Object> values(DType dtype, long count) {
        List<Object> values = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            values.add(value(dtype));
        }
        return values;
    }

    Object value(DType dtype) {
        if (dtype == DType.BOOL) {
            return random.nextBoolean();
        }
        if (!dtype.isFloatingPoint()) {
            return (long) below(21) - (dtype.isSigned() ? 10 : 0);
        }
        double[] special = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, 1.0};
        return below(12) == 0 ? special[below(special.length)] : random.nextGaussian() * 3;
    }
}
