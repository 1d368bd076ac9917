package io.github.broadloom.tensor;

import io.github.broadloom.arrow.TensorBatches;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.ArrowIpc;
import io.github.broadloom.io.Npy;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A tensor that one thread reads while another releases it has its elements, or is refused; what it never has is the elements of others. */
class ReleaseRaceTest {
    private static final int RACES = 40;
    private static final int MANY = 1_000;

    @AfterEach
    void nothingIsHeld() {
        Memory.awaitReleased();
    }

    private static Tensor numbers() {
        return Tensors.arange(1 << 17).to(DType.INT32).view(256, 512);
    }

    static Stream<Arguments> readings() {
        return Stream.of(
                reading("elements, all of them", Tensor::toIntArray),
                reading("elements of a view", x -> x.t().toIntArray()),
                reading("boxed elements", x -> x.narrow(0, 0, 16).values()),
                reading("one element", x -> x.get(255, 511)),
                reading("a copy", x -> x.copy().toIntArray()),
                reading("a transposed copy", x -> x.t().copy().toIntArray()),
                reading("a cast", x -> x.to(DType.FLOAT64).toDoubleArray()),
                reading("a cast of a view", x -> x.t().to(DType.INT64).toLongArray()),
                reading("reversed", x -> x.flip(0, 1).toIntArray()),
                reading("repeated", x -> x.repeat(2, 1).toIntArray()),
                reading("another shape", x -> x.t().reshape(-1).toIntArray()),
                reading(
                        "written over another",
                        x -> Tensors.empty(DType.INT64, x.shape()).copy_(x).toLongArray()),
                reading("written to", x -> x.copy_(Tensors.arange(512)).fill_(7).get(3, 4)),
                reading("gathered", x -> Gathering.rows(x, Tensors.arange(256)).toIntArray()),
                reading("printed", Tensor::toString),
                reading("sparse", x -> x.narrow(0, 0, 16).toSparse().values().toIntArray()),
                reading("an npy file", x -> {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    Npy.write(x, bytes);
                    return bytes.toByteArray();
                }),
                reading("an npy file of a view", x -> {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    Npy.write(x.t(), bytes);
                    return bytes.toByteArray();
                }),
                reading("an Arrow stream", x -> {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    ArrowIpc.writeStream(List.of(x).iterator(), bytes);
                    return bytes.toByteArray();
                }),
                reading("a record batch", x -> {
                    try (VectorSchemaRoot batch = TensorBatches.toRecordBatch(x, Memory.allocator())) {
                        return TensorBatches.fromVector(batch.getVector(0)).toIntArray();
                    }
                }));
    }

    private static Arguments reading(String name, ReleaseRaces.Reading<Tensor> reading) {
        return Arguments.of(name, reading);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("readings")
    void whatIsReadWhileItIsReleasedIsRightOrRefused(String name, ReleaseRaces.Reading<Tensor> reading)
            throws Exception {
        ReleaseRaces.run(RACES, name.hashCode(), ReleaseRaceTest::numbers, reading);
    }

    @Tag("full")
    @ParameterizedTest(name = "{0}")
    @MethodSource("readings")
    void soItIsThousandsOfTimes(String name, ReleaseRaces.Reading<Tensor> reading) throws Exception {
        ReleaseRaces.run(MANY, ~name.hashCode(), ReleaseRaceTest::numbers, reading);
    }
}
