package io.github.broadloom.testkit.random;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.FloatInfo;
import io.github.broadloom.dtype.IntInfo;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Seeded tensors of any dtype, as views of every kind. */
public final class RandomTensors {
    public enum View {
        CONTIGUOUS,
        FORTRAN_ORDERED,
        PERMUTED,
        STEPPED,
        NARROWED,
        EXPANDED,
        UNFOLDED,
        PERMUTED_STEPPED_AND_NARROWED
    }

    private final Random random;

    public RandomTensors(long seed) {
        this.random = new Random(seed);
    }

    public int below(int bound) {
        return random.nextInt(bound);
    }

    public DType dtype() {
        return DType.values()[below(DType.values().length)];
    }

    /** Sizes of 0 to 5, seldom 0, often 1; seldom one dimension longer than a tile of the kernels. */
    public Shape shape(int maxRank) {
        long[] sizes = new long[below(maxRank + 1)];
        for (int i = 0; i < sizes.length; i++) {
            int roll = below(20);
            sizes[i] = roll == 0 ? 0 : roll < 6 ? 1 : 1 + below(sizes.length > 5 ? 2 : 5);
        }
        if (sizes.length > 0 && sizes.length < 3 && below(12) == 0) {
            sizes[below(sizes.length)] = 2040L + below(16);
        }
        return Shape.of(sizes);
    }

    /** Some ten thousand elements in one to three dimensions. */
    public Shape largeShape() {
        long[] sizes = new long[1 + below(3)];
        long rest = 10_000L + below(30_000);
        for (int i = 0; i < sizes.length - 1; i++) {
            sizes[i] = 2L + below(i == 0 ? 60 : 20);
            rest /= sizes[i];
        }
        sizes[sizes.length - 1] = Math.max(1, rest);
        return Shape.of(sizes);
    }

    /** A shape that broadcasts into {@code target}: leading dimensions gone, some sizes one. */
    public Shape broadcastInto(Shape target) {
        int dropped = below(target.rank() + 1) * below(2);
        long[] sizes = new long[target.rank() - dropped];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = below(3) == 0 ? 1 : target.size(i + dropped);
        }
        return Shape.of(sizes);
    }

    /** A tensor of random numbers, lying in its storage in a random way. */
    public Tensor tensor(DType dtype, Shape shape) {
        return tensor(dtype, shape, View.values()[below(View.values().length)]);
    }

    /** A tensor of random numbers that lies in its storage in that way, as far as its shape can. */
    public Tensor tensor(DType dtype, Shape shape, View view) {
        int rank = shape.rank();
        return switch (view) {
            case CONTIGUOUS -> whole(dtype, shape.toArray());
            case FORTRAN_ORDERED -> {
                int[] order = new int[rank];
                Arrays.setAll(order, dim -> rank - 1 - dim);
                yield permuted(dtype, shape, order);
            }
            case PERMUTED -> permuted(dtype, shape, permutation(rank));
            case STEPPED -> cut(shape, sizes -> whole(dtype, sizes), 1 + below(3), 0);
            case NARROWED -> cut(shape, sizes -> whole(dtype, sizes), 1, 3);
            case EXPANDED -> {
                long[] sizes = shape.toArray();
                for (int dim = 0; dim < rank; dim++) {
                    sizes[dim] = below(2) == 0 ? 1 : sizes[dim];
                }
                yield whole(dtype, sizes).expand(shape.toArray());
            }
            case UNFOLDED -> unfolded(dtype, shape);
            case PERMUTED_STEPPED_AND_NARROWED ->
                cut(shape, sizes -> permuted(dtype, Shape.of(sizes), permutation(rank)), 1 + below(2), 2);
        };
    }

    /** Every {@code step}th index of a larger tensor, from below {@code shift} on. */
    private Tensor cut(Shape shape, Function<long[], Tensor> maker, int step, int shift) {
        long[] sizes = shape.toArray();
        long[] first = new long[sizes.length];
        for (int dim = 0; dim < sizes.length; dim++) {
            first[dim] = shift == 0 ? 0 : below(shift);
            sizes[dim] = first[dim] + sizes[dim] * step + (shift == 0 ? 0 : below(shift));
        }
        Tensor view = maker.apply(sizes);
        for (int dim = 0; dim < sizes.length; dim++) {
            view = view.slice(dim, first[dim], first[dim] + shape.size(dim) * step, step);
        }
        return view;
    }

    /** Overlapping windows in the last dimension. */
    private Tensor unfolded(DType dtype, Shape shape) {
        int rank = shape.rank();
        if (rank < 2 || shape.size(rank - 2) == 0) {
            return whole(dtype, shape.toArray());
        }
        long step = 1L + below(2);
        long window = shape.size(rank - 1);
        long length = (shape.size(rank - 2) - 1) * step + window;
        long[] sizes = shape.without(rank - 1).with(rank - 2, length).toArray();
        return whole(dtype, sizes).unfold(rank - 2, window, step);
    }

    /** A tensor whose storage has the dimensions in that order. */
    private Tensor permuted(DType dtype, Shape shape, int[] order) {
        long[] stored = new long[order.length];
        int[] back = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            stored[i] = shape.size(order[i]);
            back[order[i]] = i;
        }
        return whole(dtype, stored).permute(back);
    }

    int[] permutation(int rank) {
        List<Integer> order = new ArrayList<>();
        IntStream.range(0, rank).forEach(dim -> order.add(below(dim + 1), dim));
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    private Tensor whole(DType dtype, long[] sizes) {
        Shape shape = Shape.of(sizes);
        List<Object> values = new ArrayList<>();
        for (long i = 0; i < shape.numel(); i++) {
            values.add(value(dtype));
        }
        return Tensors.fromStorageValues(dtype, Layout.contiguous(shape), values);
    }

    /** A value of that dtype, often small, sometimes at an end of its range: a Boolean, Long or Double. */
    public Object value(DType dtype) {
        boolean special = below(12) == 0;
        return switch (dtype.kind()) {
            case BOOL -> random.nextBoolean();
            case INTEGER -> {
                IntInfo limits = IntInfo.of(dtype);
                long[] ends = {limits.min(), limits.max(), limits.max() - 1, 0, 1};
                yield special ? ends[below(ends.length)] : (long) below(21) - (dtype.isSigned() ? 10 : 0);
            }
            case FLOATING -> {
                FloatInfo info = FloatInfo.of(dtype);
                double[] odd = {
                    0.0,
                    -0.0,
                    Double.NaN,
                    Double.POSITIVE_INFINITY,
                    Double.NEGATIVE_INFINITY,
                    1.0,
                    info.max(),
                    info.tiny() / 2
                };
                yield special ? odd[below(odd.length)] : random.nextGaussian() * 3;
            }
        };
    }
}
