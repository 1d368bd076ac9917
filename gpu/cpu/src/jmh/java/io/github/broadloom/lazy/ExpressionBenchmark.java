package io.github.broadloom.lazy;

import io.github.broadloom.cpu.code.JavaRenderer;
import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.kernels.PointwiseProgram;
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

/** What an evaluation costs before the first element: building the expression, and, once, its kernel. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ExpressionBenchmark {
    private Map<String, Tensor> names;
    private Expr built;

    @Setup
    public void make() {
        names = Map.of("x", Tensors.of(1f, 2f), "m", Tensors.of(1f, 2f), "s", Tensors.of(1f, 2f));
        built = parse().expr();
    }

    private LazyTensor parse() {
        return LazyTensor.eval("where(x > m, tanh((x - m) * s) + exp(-x * x), 0.1 * x)", names);
    }

    @Benchmark
    public LazyTensor parsed() {
        return parse();
    }

    @Benchmark
    public Tensor evaluatedOfTwoElements() {
        Tensor result = parse().compute();
        result.storage().release();
        return result;
    }

    @Benchmark
    public String rendered() {
        return JavaRenderer.render(PointwiseProgram.of(built).spec());
    }

    @Benchmark
    public TileKernel compiled() {
        return JavaRenderer.compile(PointwiseProgram.of(built).spec());
    }
}
