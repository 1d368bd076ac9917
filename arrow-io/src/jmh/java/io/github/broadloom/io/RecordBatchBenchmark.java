package io.github.broadloom.io;

import io.github.broadloom.arrow.TensorBatches;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A chunk of 64 rows as a record batch, in memory and as an Arrow stream there and back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RecordBatchBenchmark {
    @Param({"float32", "bool"})
    String dtype = "float32";

    private Tensor chunk;

    @Setup
    public void allocate() {
        chunk = Tensors.zeros(Shape.of(64, 128, 128), DType.of(dtype));
    }

    @TearDown
    public void release() {
        chunk.storage().release();
    }

    @Benchmark
    public int toRecordBatch() {
        try (var batch = TensorBatches.toRecordBatch(chunk, Memory.allocator())) {
            return batch.getRowCount();
        }
    }

    @Benchmark
    public long streamThereAndBack() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ArrowIpc.writeChunk(chunk, out);
        Tensor read = ArrowIpc.readChunk(new ByteArrayInputStream(out.toByteArray()));
        read.storage().release();
        return read.numel();
    }
}
