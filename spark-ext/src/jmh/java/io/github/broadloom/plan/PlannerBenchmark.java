package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.shape.Shape;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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

/** What planning costs: it happens once for each action, on the driver, before any job. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PlannerBenchmark {
    private record File(String name, DType dtype, Shape shape) implements Source {
        @Override
        public String origin() {
            return "file " + name;
        }

        @Override
        public Residence residence() {
            return Residence.FILE;
        }

        @Override
        public @Nullable ChunkGrid grid() {
            return null;
        }
    }

    private Expr pointwise;
    private Expr twoPasses;

    @Setup
    public void build() {
        Map<String, Expr> names = Map.of("x", file("x", 100_000, 3, 224, 224), "m", file("m", 3, 1, 1));
        pointwise = ExprParser.parse("(x - m) * 2", names);
        twoPasses = ExprParser.parse("(x - mean(x, dim=(0, 2, 3), keepdim=True)) / 2", names);
    }

    private static Expr file(String name, long... shape) {
        File source = new File(name, DType.FLOAT32, Shape.of(shape));
        return Input.of(source, source.dtype(), source.shape());
    }

    @Benchmark
    public Plan onePass() {
        return new Planner(Settings.defaults()).plan(pointwise, Want.VALUE);
    }

    @Benchmark
    public Plan twoPasses() {
        return new Planner(Settings.defaults()).plan(twoPasses, Want.VALUE);
    }
}
