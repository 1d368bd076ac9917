package io.github.broadloom.lazy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One evaluation of each kind of kernel over operands that stay in the second-level cache: 64 Ki elements. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class KernelBenchmark {
    private static final Shape IMAGES = Shape.of(4, 4, 64, 64);
    private static final Shape CHANNELS = Shape.of(4, 1, 1);
    private static final Shape MATRIX = Shape.of(256, 256);

    private LazyTensor chain;
    private LazyTensor normalised;
    private LazyTensor sum;
    private LazyTensor rowSums;
    private LazyTensor columnSums;
    private LazyTensor half;
    private LazyTensor transposed;

    @Setup
    public void build() {
        Tensor x = Tensors.ones(IMAGES, DType.FLOAT32);
        Tensor mean = Tensors.ones(CHANNELS, DType.FLOAT32);
        Tensor scale = Tensors.ones(CHANNELS, DType.FLOAT32);
        Tensor matrix = Tensors.ones(MATRIX, DType.FLOAT32);
        Tensor halves = Tensors.ones(MATRIX, DType.FLOAT16);
        Map<String, Tensor> names =
                Map.of("x", x, "mean", mean, "scale", scale, "m", matrix, "t", matrix.t(), "h", halves);
        chain = LazyTensor.eval("maximum(abs(x * 0.9 - 0.1) * x + 0.5, x) - x * x", names);
        normalised = LazyTensor.eval("(x - mean) * scale", names);
        sum = LazyTensor.eval("sum(m)", names);
        rowSums = LazyTensor.eval("sum(m, dim=1)", names);
        columnSums = LazyTensor.eval("sum(m, dim=0)", names);
        half = LazyTensor.eval("h * h + h", names);
        transposed = LazyTensor.eval("t + m", names);
    }

    private static DType run(LazyTensor lazy) {
        Tensor result = lazy.compute();
        result.storage().release();
        return result.dtype();
    }

    @Benchmark
    public DType pointwiseChain() {
        return run(chain);
    }

    @Benchmark
    public DType normaliseByChannel() {
        return run(normalised);
    }

    @Benchmark
    public DType sumOfAll() {
        return run(sum);
    }

    @Benchmark
    public DType sumOfEachRow() {
        return run(rowSums);
    }

    @Benchmark
    public DType sumOfEachColumn() {
        return run(columnSums);
    }

    @Benchmark
    public DType float16() {
        return run(half);
    }

    @Benchmark
    public DType transposedOperand() {
        return run(transposed);
    }
}
