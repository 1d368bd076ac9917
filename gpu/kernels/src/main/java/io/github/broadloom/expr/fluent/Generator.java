package io.github.broadloom.expr.fluent;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.SixDigits;
import io.github.broadloom.random.Distribution;
import io.github.broadloom.random.RandomArray;
import io.github.broadloom.shape.Shape;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Makes tensors of random numbers, as PyTorch's functions of these names do with a {@code torch.Generator}. Each call takes the next stream of the seed, so that two calls give
 * different numbers, and a program that makes the same calls gives the same ones: with the same bits on every machine, here and on a cluster, however a tensor is cut. They are not those of
 * PyTorch or NumPy.
 *
 * <p>An element is made of 64 bits that Philox-4x32-10 gives for the seed, the stream and the element's place in row-major order; no number is made that nobody asks for. Numbers without a
 * dtype are float32, integers int64.
 */
public final class Generator<T extends TensorOps<T>> {
    private final long seed;
    private final Function<RandomArray, T> maker;
    private final AtomicInteger streams = new AtomicInteger();

    /** @param maker makes a tensor of an array of random numbers */
    public Generator(long seed, Function<RandomArray, T> maker) {
        this.seed = seed;
        this.maker = maker;
    }

    public long seed() {
        return seed;
    }

    private T draw(Distribution distribution, DType dtype, Shape shape) {
        return maker.apply(new RandomArray(seed, streams.getAndIncrement(), distribution, dtype, shape));
    }

    /** Evenly from 0 to below 1, float32. */
    public T rand(long... sizes) {
        return rand(Shape.of(sizes), DType.FLOAT32);
    }

    /**
     * Evenly from 0 to below 1, in steps of 2 to the minus number of the dtype's digits: 24 of float32, 53 of float64.
     *
     * @throws IllegalArgumentException with PyTorch's text, unless the dtype is a floating one
     */
    public T rand(Shape shape, DType dtype) {
        return draw(new Distribution.Uniform(), dtype, shape);
    }

    /** Normally, of mean 0 and deviation 1, float32. */
    public T randn(long... sizes) {
        return normal(0, 1, sizes);
    }

    /**
     * Normally, of mean 0 and deviation 1.
     *
     * @throws IllegalArgumentException with PyTorch's text, unless the dtype is a floating one
     */
    public T randn(Shape shape, DType dtype) {
        return normal(0, 1, shape, dtype);
    }

    /** Normally, of a mean and a deviation, float32. */
    public T normal(double mean, double std, long... sizes) {
        return normal(mean, std, Shape.of(sizes), DType.FLOAT32);
    }

    /**
     * Normally, of a mean and a deviation; computed in float64 and rounded.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a negative deviation, and unless the dtype is a floating one
     */
    public T normal(double mean, double std, Shape shape, DType dtype) {
        return draw(new Distribution.Normal(mean, std), dtype, shape);
    }

    /** Integers from {@code low} to below {@code high}, int64. */
    public T randint(long low, long high, long... sizes) {
        return randint(low, high, Shape.of(sizes), DType.INT64);
    }

    /**
     * Integers from {@code low} to below {@code high}, each as often as any other.
     *
     * @throws IllegalArgumentException with PyTorch's text, where there is no such integer, or the dtype does not hold them; and unless it is one of integers
     */
    public T randint(long low, long high, Shape shape, DType dtype) {
        return draw(new Distribution.Integers(low, high), dtype, shape);
    }

    /** Ones with a probability, else zeros, float32. */
    public T bernoulli(double p, long... sizes) {
        return bernoulli(p, Shape.of(sizes), DType.FLOAT32);
    }

    /**
     * Ones with a probability, else zeros; true and false where the dtype is bool.
     *
     * @throws IllegalArgumentException with PyTorch's text, for what is no probability
     */
    public T bernoulli(double p, Shape shape, DType dtype) {
        return draw(new Distribution.Bernoulli(p), dtype, shape);
    }

    /**
     * Ones, each with its own probability, else zeros, of the dtype of the probabilities. What is not between 0 and 1 is taken for the nearer of both, and NaN for 0.
     *
     * @throws IllegalArgumentException with PyTorch's text, unless they are of a floating dtype
     */
    public T bernoulli(T probabilities) {
        DType dtype = probabilities.dtype();
        if (!dtype.isFloatingPoint()) {
            throw new IllegalArgumentException(
                    "\"bernoulli_tensor_cpu_p_\" not implemented for '" + dtype.typeName() + "'");
        }
        return probabilities.gt(rand(probabilities.shape(), DType.FLOAT64)).to(dtype);
    }

    /**
     * The tensor with each element set to zero with a probability, and the others divided by that of being kept: {@code torch.nn.functional.dropout}. As there, a NaN or an infinity
     * that is dropped is NaN.
     *
     * @throws IllegalArgumentException with PyTorch's text, for what is no probability, and unless the tensor is of a floating dtype
     */
    public T dropout(T input, double p) {
        if (!(p >= 0 && p <= 1)) {
            String text = Double.isNaN(p) ? "nan" : SixDigits.of(p);
            throw new IllegalArgumentException("dropout probability has to be between 0 and 1, but got " + text);
        }
        if (!input.dtype().isFloatingPoint()) {
            throw new IllegalArgumentException("result type Float can't be cast to the desired output type "
                    + input.dtype().typeName());
        }
        T kept = bernoulli(1 - p, input.shape(), DType.BOOL);
        return input.mul(kept).mul(p == 1 ? 0 : 1 / (1 - p));
    }

    /**
     * The integers from 0 to below {@code n} in random order, int64: the order of {@code n} random keys. On a cluster one task has all keys.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a negative number
     */
    public T permutation(long n) {
        return randint(Long.MIN_VALUE, Long.MAX_VALUE, n).argsort(0);
    }
}
