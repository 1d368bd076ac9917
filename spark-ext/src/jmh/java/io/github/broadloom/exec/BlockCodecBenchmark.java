package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
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

/** A block of 4 MiB as the bytes that Spark moves, and back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class BlockCodecBenchmark {
    private static final int BYTES = 4 << 20;

    private Tensor block;
    private Tensor transposed;
    private byte[] encoded;

    @Setup
    public void allocate() throws IOException {
        block = Tensors.zeros(Shape.of(1024, 1024), DType.FLOAT32);
        transposed = block.t();
        encoded = bytes(block);
    }

    @TearDown
    public void release() {
        block.storage().release();
    }

    private static byte[] bytes(Tensor tensor) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(BYTES + 64);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            BlockCodec.write(tensor, new long[2], out);
        }
        return bytes.toByteArray();
    }

    @Benchmark
    public byte[] write() throws IOException {
        return bytes(block);
    }

    @Benchmark
    public byte[] writeTransposed() throws IOException {
        return bytes(transposed);
    }

    @Benchmark
    public long read() throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
            Tensor tensor = BlockCodec.read(in).tensor();
            tensor.storage().release();
            return tensor.numel();
        }
    }
}
