package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Copies of views, 4 MiB each, into a kept tensor: from rows as they lie to a transposition. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class BoxCopyBenchmark {
    private static final int SIDE = 1024;

    private Tensor source;
    private Tensor target;

    @Setup
    public void allocate() {
        source = Tensors.zeros(Shape.of(SIDE, 2 * SIDE), DType.FLOAT32);
        target = Tensors.zeros(Shape.of(SIDE, SIDE), DType.FLOAT32);
    }

    @TearDown
    public void release() {
        source.storage().release();
        target.storage().release();
    }

    @Benchmark
    public Tensor contiguous() {
        return target.copy_(source.flatten().narrow(0, 0, SIDE * SIDE).view(SIDE, SIDE));
    }

    @Benchmark
    public Tensor halfOfEachRow() {
        return target.copy_(source.narrow(1, 0, SIDE));
    }

    @Benchmark
    public Tensor everySecondColumn() {
        return target.copy_(source.slice(1, null, null, 2));
    }

    @Benchmark
    public Tensor transposed() {
        return target.copy_(source.narrow(1, 0, SIDE).t());
    }
}
