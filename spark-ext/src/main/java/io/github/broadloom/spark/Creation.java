package io.github.broadloom.spark;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.read.LocalSource;
import io.github.broadloom.exec.read.MadeSource;
import io.github.broadloom.expr.fluent.Generator;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.format.ProgressionArray;
import io.github.broadloom.plan.Source;
import io.github.broadloom.random.RandomArray;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Progression;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;

/**
 * Tensors of nothing, part of {@link Broadloom}: of any size, because each task makes the elements that it needs when it needs them. Values, dtypes and errors are those of {@link
 * Tensors}, which makes them here.
 */
public abstract sealed class Creation permits Broadloom {
    Creation() {}

    /** A tensor of what a source has. */
    abstract DistributedTensor of(Source source);

    /** Zeros, float32. */
    public DistributedTensor zeros(long... sizes) {
        return zeros(Shape.of(sizes), DType.FLOAT32);
    }

    public DistributedTensor zeros(Shape shape, DType dtype) {
        return full(shape, 0L, dtype);
    }

    /** Ones, float32. */
    public DistributedTensor ones(long... sizes) {
        return ones(Shape.of(sizes), DType.FLOAT32);
    }

    public DistributedTensor ones(Shape shape, DType dtype) {
        return full(shape, 1L, dtype);
    }

    /** One value (Boolean, an integer or a floating number) everywhere, of its default dtype. */
    public DistributedTensor full(Shape shape, Object value) {
        return everywhere(shape, Tensors.scalar(value));
    }

    /**
     * One value (Boolean, an integer or a floating number) everywhere.
     *
     * @throws IllegalArgumentException with PyTorch's text, where the dtype cannot hold it
     */
    public DistributedTensor full(Shape shape, Object value, DType dtype) {
        return everywhere(shape, Tensors.full(Shape.SCALAR, value, dtype));
    }

    private DistributedTensor everywhere(Shape shape, Tensor value) {
        return of(new LocalSource(value, null, "full")).expand(shape.toArray());
    }

    /** {@code 0, 1, …} below {@code end}, int64. */
    public DistributedTensor arange(long end) {
        return arange(0, end, 1);
    }

    /** From {@code start} in steps, {@code end} excluded, int64. */
    public DistributedTensor arange(long start, long end, long step) {
        return arange(start, end, step, DType.INT64);
    }

    /** From {@code start} in steps, {@code end} excluded, float32. */
    public DistributedTensor arange(double start, double end, double step) {
        return arange(start, end, step, DType.FLOAT32);
    }

    /**
     * From {@code start} in steps, {@code end} excluded; the elements are computed in int64 and then cast.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a step of 0 or in the other direction, and for bool
     */
    public DistributedTensor arange(long start, long end, long step, DType dtype) {
        return of("arange", Progression.arange(start, end, step, dtype));
    }

    /**
     * From {@code start} in steps, {@code end} excluded; the elements are computed in float64 and then rounded.
     *
     * @throws IllegalArgumentException with PyTorch's text, as of integers, and for ends that are not finite
     */
    public DistributedTensor arange(double start, double end, double step, DType dtype) {
        return of("arange", Progression.arange(start, end, step, dtype));
    }

    /** {@code steps} numbers evenly from {@code start} to {@code end}, both included, float32. */
    public DistributedTensor linspace(double start, double end, long steps) {
        return linspace(start, end, steps, DType.FLOAT32);
    }

    /**
     * {@code steps} numbers evenly from {@code start} to {@code end}, both included, the second half counted back from the end.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a negative number of steps, and for bool
     */
    public DistributedTensor linspace(double start, double end, long steps, DType dtype) {
        return of("linspace", Progression.linspace(start, end, steps, dtype));
    }

    private DistributedTensor of(String name, Progression numbers) {
        ProgressionArray array = new ProgressionArray(numbers);
        return of(name, numbers.dtype(), array.shape(), array);
    }

    private DistributedTensor of(String name, DType dtype, Shape shape, BlockReader reader) {
        return of(new MadeSource(name, dtype, shape, reader));
    }

    /** {@code [n, n]} with ones where both indices are the same, else zeros, float32. */
    public DistributedTensor eye(long n) {
        return eye(n, n, DType.FLOAT32);
    }

    /**
     * {@code [n, m]} with ones where both indices are the same, else zeros.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a negative size
     */
    public DistributedTensor eye(long n, long m, DType dtype) {
        Tensors.checkEye(n, m);
        return arange(n).unsqueeze(1).eq(arange(m)).to(dtype);
    }

    /** Random numbers of a seed, each made by the task that needs it: the same as {@code LazyTensor.random(seed)} gives, however they are cut. */
    public Generator<DistributedTensor> random(long seed) {
        return new Generator<>(seed, this::of);
    }

    /** The tensor of an array of random numbers. */
    DistributedTensor of(RandomArray array) {
        return of(array.distribution().name(), array.dtype(), array.shape(), array);
    }
}
