package io.github.broadloom.arrow;

import io.github.broadloom.tensor.Storage;
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

/** A mebi of bools between one byte each, as tensors have them, and one bit each, as Arrow has them. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PackedBitsBenchmark {
    private static final long COUNT = 1 << 20;

    private Storage bytes;
    private Storage bits;

    @Setup
    public void allocate() {
        bytes = Storage.allocateZeroed(COUNT);
        bits = Storage.allocateZeroed(COUNT / Byte.SIZE);
    }

    @TearDown
    public void release() {
        bytes.release();
        bits.release();
    }

    @Benchmark
    public Storage pack() {
        PackedBits.pack(bytes.address(), bits.address(), COUNT);
        return bits;
    }

    @Benchmark
    public Storage unpack() {
        PackedBits.unpack(bits.address(), bytes.address(), COUNT);
        return bytes;
    }
}
