package io.github.broadloom.cuda;

import io.github.broadloom.cuda.code.CudaPass;
import io.github.broadloom.cuda.driver.DryRunStream;
import io.github.broadloom.cuda.driver.GpuStream;
import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.rewrite.Simplifier;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
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

/**
 * A call of a small expression over tensors of a GPU on the stand-in driver, whose kernels the host's compiler made: as a whole, and what it is made of. The
 * driver's part on a real device is to be added.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class LaunchBenchmark {
    private static final Device CUDA = Device.of("cuda", 0);

    @Param({"x + y", "(x - m) * s + 0.5", "where(x > m, (x - m) * s, 0.1 * x)", "sum(x * y, 1)"})
    public String text;

    private Map<String, Tensor> names;
    private LazyTensor parsed;
    private Expr simplified;
    private List<CudaPass> passes;
    private long[] addresses;

    @Setup
    public void make() {
        FakeDriver.load().reset();
        names = Map.of("x", onDevice(8, 8), "y", onDevice(8, 8), "m", onDevice(8), "s", onDevice(8));
        parsed = parse();
        simplified = Simplifier.simplify(parsed.expr());
        passes = steps().stream().flatMap(step -> step.pass().stream()).toList();
        addresses = new long[8]; // for every buffer of a pass: nobody looks at what comes out
        Arrays.fill(addresses, onDevice(1 << 16).deviceAddress());
    }

    private static Tensor onDevice(long... shape) {
        return Tensors.ones(Shape.of(shape), DType.FLOAT32).to(CUDA);
    }

    /** From the text to the result, and its release. */
    @Benchmark
    public DType called() {
        return evaluated(parse());
    }

    /** The text to a typed expression. */
    @Benchmark
    public LazyTensor parse() {
        return LazyTensor.eval(text, names);
    }

    /** A typed expression to the result, and its release. */
    @Benchmark
    public DType evaluated() {
        return evaluated(parsed);
    }

    private static DType evaluated(LazyTensor lazy) {
        Tensor result = lazy.compute();
        result.storage().release();
        return result.dtype();
    }

    /** All decisions of an evaluation: its passes, their kernels, and where each operand lies. */
    @Benchmark
    public List<DryRunStream.Step> steps() {
        DryRunStream stream = new DryRunStream();
        try (CudaEvaluation evaluation = new CudaEvaluation(stream, Map.of())) {
            evaluation.evaluate(simplified).release();
        }
        return stream.steps();
    }

    /** The kernels' parameters packed, and the driver's calls: a launch for each kernel, and the wait for them. */
    @Benchmark
    public void launched() {
        try (GpuStream stream = Gpus.gpu(CUDA).stream()) {
            passes.forEach(pass -> stream.launch(pass, addresses));
        }
    }
}
