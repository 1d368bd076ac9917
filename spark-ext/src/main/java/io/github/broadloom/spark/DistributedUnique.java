package io.github.broadloom.spark;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.MaskOps;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;

/**
 * The distinct elements of a distributed tensor, left on the cluster, however many they are: what {@link DistributedTensor#distinct} gives. As of {@code torch.unique} they are sorted, of NaN each is
 * one by itself, and of both zeros it is 0.0. Spark keeps the sorted elements while somebody refers to one of these.
 */
public final class DistributedUnique {
    private final DistributedTensor x;
    private final DistributedTensor isFirst;
    private final DistributedTensor values;

    private DistributedUnique(DistributedTensor x, DistributedTensor isFirst, DistributedTensor values) {
        this.x = x;
        this.isFirst = isFirst;
        this.values = values;
    }

    /** A job puts the elements in order and counts those that differ from the one before. */
    static DistributedUnique of(DistributedTensor x) {
        DistributedTensor sorted = x.flatten().sort(0).values().cache();
        long count = sorted.shape().numel();
        long more = Math.max(0, count - 1);
        Tensor first = Tensors.ones(Shape.of(count - more), DType.BOOL);
        DistributedTensor differs = sorted.narrow(0, count - more, more).ne(sorted.narrow(0, 0, more));
        DistributedTensor isFirst = x.withExpr(sorted.operand(first)).concat(0, differs);
        DistributedTensor values = sorted.withExpr(MaskOps.rows(sorted.expr(), isFirst.expr(), sorted::values));
        return new DistributedUnique(
                x, isFirst, x.dtype().isFloatingPoint() ? values.add(0) : values); // -0.0 + 0 is 0.0
    }

    /** The values, the smallest first, of the tensor's dtype: {@code [count]}. */
    public DistributedTensor values() {
        return values;
    }

    private long count() {
        return values.shape().size(0);
    }

    /** How often each of them stands in the tensor: int64 {@code [count]}. */
    public DistributedTensor counts() {
        long elements = isFirst.shape().size(0);
        DistributedTensor starts =
                x.withExpr(MaskOps.rows(x.upTo(elements), isFirst.expr(), known -> Tensors.scalar(count())));
        return starts.narrow(0, Math.min(1, count()), Math.max(0, count() - 1))
                .concat(0, Tensors.of(new long[] {elements}))
                .narrow(0, 0, count())
                .sub(starts);
    }

    /**
     * Which of them each element is: int64, of the tensor's shape. Each executor has a copy of the values.
     *
     * @see DistributedTensor#inverse
     */
    public DistributedTensor inverse() {
        return inverse(x, values);
    }

    /** @param values of {@code x}, which has no others */
    static DistributedTensor inverse(DistributedTensor x, DistributedTensor values) {
        if (x.dtype() == DType.BOOL) {
            return values.to(DType.UINT8).searchsorted(x.to(DType.UINT8), false);
        }
        if (!x.dtype().isFloatingPoint()) {
            return values.searchsorted(x, false);
        }
        long numbers = (long) values.eq(values).sum().collect().values().get(0);
        DistributedTensor found = values.narrow(0, 0, numbers).searchsorted(x, false);
        if (numbers == values.shape().size(0)) {
            return found;
        }
        DistributedTensor isNan =
                x.ne(x); // in the order in which they stand, each is one of the values behind the numbers
        DistributedTensor place =
                isNan.flatten().cumsum(0).reshape(x.shape().toArray()).add(numbers - 1);
        return isNan.where(place, found);
    }
}
