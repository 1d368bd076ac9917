package io.github.broadloom.device.cuda;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A call of a small expression over tensors of a GPU, from its text to the result's release, on the stand-in driver. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class LaunchBenchmark {
    @Param({"x + y", "(x - m) * s + 0.5", "where(x > m, (x - m) * s, 0.1 * x)", "sum(x * y, 1)"})
    public String text;

    private Map<String, Tensor> names;

    @Setup
    public void make() {
        FakeDriver.load().reset();
        names = Map.of("x", onDevice(8, 8), "y", onDevice(8, 8), "m", onDevice(8), "s", onDevice(8));
    }

    private static Tensor onDevice(long... shape) {
        return Tensors.ones(Shape.of(shape), DType.FLOAT32).to(Device.of("cuda", 0));
    }

    @Benchmark
    public DType called() {
        Tensor result = LazyTensor.parse(text, names).eval();
        result.storage().release();
        return result.dtype();
    }
}
