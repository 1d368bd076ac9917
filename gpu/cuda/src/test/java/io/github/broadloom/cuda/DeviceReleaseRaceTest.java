package io.github.broadloom.cuda;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.InPlace;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.ReleaseRaces;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** As on the CPU: a kernel reads a tensor that is released meanwhile, or is refused, though it runs later than the call that starts it. */
@WithFakeGpu
class DeviceReleaseRaceTest {
    private static final Device CUDA = Device.of("cuda:0");
    private static final int RACES = 25;

    private final FakeDriver driver = FakeDriver.load();

    @BeforeEach
    void workRunsLate() {
        FakeGpus.closeAll();
        driver.deferWork();
    }

    private static Tensor here() {
        return Tensors.arange(1 << 16).to(DType.FLOAT32).view(128, 512);
    }

    private static Tensor there() {
        Tensor here = here();
        Tensor there = here.to(CUDA);
        here.release();
        return there;
    }

    private static Object elements(Tensor tensor) {
        float[] elements = tensor.toFloatArray();
        tensor.release();
        return elements;
    }

    static Stream<Arguments> readings() {
        return Stream.of(
                reading(
                        "pointwise",
                        x -> elements(LazyTensor.of(x).mul(3).add(1).compute())),
                reading("of a view", x -> elements(LazyTensor.of(x.t()).mul(3).compute())),
                reading("reduced", x -> elements(LazyTensor.of(x).sum(1).compute())),
                reading(
                        "what only the CPU computes",
                        x -> elements(LazyTensor.of(x).median().compute())),
                reading("brought here", Tensor::toFloatArray),
                reading("a view, brought here", x -> x.t().toFloatArray()),
                reading("copied there", x -> elements(x.copy())),
                reading("cast there", x -> elements(x.to(DType.INT64).to(DType.FLOAT32))),
                reading(
                        "written in place",
                        x -> InPlace.add_(InPlace.mul_(x, 2), 1).toFloatArray()));
    }

    private static Arguments reading(String name, ReleaseRaces.Reading<Tensor> reading) {
        return Arguments.of(name, reading);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("readings")
    void whatLivesThereAndIsReleasedMeanwhileIsRightOrRefused(String name, ReleaseRaces.Reading<Tensor> reading)
            throws Exception {
        ReleaseRaces.run(RACES, name.hashCode(), DeviceReleaseRaceTest::there, reading);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("readings")
    void whatLivesHereAndIsReleasedMeanwhileIsRightOrRefused(String name, ReleaseRaces.Reading<Tensor> reading)
            throws Exception {
        ReleaseRaces.run(RACES, ~name.hashCode(), DeviceReleaseRaceTest::here, x -> {
            Tensor there = x.to(CUDA);
            try {
                return reading.of(there);
            } finally {
                there.release();
            }
        });
    }

    @Test
    void piecesThatGoThereAndComeBackAreRightOrRefused() throws Exception {
        ReleaseRaces.run(
                RACES,
                1,
                DeviceReleaseRaceTest::here,
                x -> elements(LazyTensor.of(x)
                        .mul(2)
                        .sub(LazyTensor.of(x).narrow(0, 0, 1))
                        .compute(CUDA)));
    }
}
