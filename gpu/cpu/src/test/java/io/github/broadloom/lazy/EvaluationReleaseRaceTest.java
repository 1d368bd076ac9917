package io.github.broadloom.lazy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.ReleaseRaces;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An expression that one thread evaluates while another releases an operand has its value, or is refused. */
class EvaluationReleaseRaceTest {
    private static final int RACES = 25;
    private static final int MANY = 1_000;

    @AfterEach
    void nothingIsHeld() {
        Memory.awaitReleased();
    }

    private static Tensor numbers() {
        return Tensors.arange(1 << 17).to(DType.FLOAT32).view(256, 512);
    }

    static Stream<Arguments> evaluations() {
        return Stream.of(
                evaluation("pointwise", x -> x.mul(3).add(1).compute()),
                evaluation("of a view", x -> x.t().mul(3).add(1).compute()),
                evaluation("functions", x -> x.mul(1e-3).sin().exp().compute()),
                evaluation(
                        "broadcast",
                        x -> x.narrow(0, 0, 64)
                                .unsqueeze(1)
                                .sub(x.narrow(0, 0, 4))
                                .compute()),
                evaluation("reduced to one", x -> x.sum().compute()),
                evaluation("reduced along rows", x -> x.mul(2).sum(1).compute()),
                evaluation("reduced along columns", x -> x.sqrt().mean(0).compute()),
                evaluation("two passes", x -> x.sub(x.mean(KeepDim.KEEP, 0)).compute()),
                evaluation("extremes", x -> x.argmax(1).compute()),
                evaluation("median", x -> x.median().compute()),
                evaluation("lines", x -> x.cumsum(1).compute()),
                evaluation("joined", x -> x.flip(0).add(x.repeat(1, 1)).compute()),
                evaluation("product", x -> x.matmul(x.t()).compute()),
                evaluation("nothing to compute", LazyTensor::compute),
                Arguments.of("written over another", (ReleaseRaces.Reading<Tensor>) x -> {
                    Tensor target = Tensors.ones(256, 512);
                    InPlace.add_(target, x);
                    return target.toFloatArray();
                }),
                Arguments.of("written in place", (ReleaseRaces.Reading<Tensor>)
                        x -> InPlace.add_(InPlace.mul_(x, 2), 1).toFloatArray()),
                Arguments.of("written over itself, reversed", (ReleaseRaces.Reading<Tensor>) x -> {
                    Tensor half = x.narrow(0, 0, 200);
                    return InPlace.add_(half, x.narrow(0, 56, 200)).toFloatArray();
                }));
    }

    /** What an expression of the operand is. */
    private interface Evaluation {
        Tensor of(LazyTensor x);
    }

    private static Arguments evaluation(String name, Evaluation evaluation) {
        return Arguments.of(name, (ReleaseRaces.Reading<Tensor>) x -> {
            Tensor value = evaluation.of(LazyTensor.of(x)).to(DType.FLOAT64);
            double[] elements = value.toDoubleArray();
            value.release();
            return elements;
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("evaluations")
    @Tag("full")
    void whatIsEvaluatedWhileAnOperandIsReleasedIsRightOrRefused(String name, ReleaseRaces.Reading<Tensor> evaluation)
            throws Exception {
        ReleaseRaces.run(RACES, name.hashCode(), EvaluationReleaseRaceTest::numbers, evaluation);
    }

    @Tag("full")
    @ParameterizedTest(name = "{0}")
    @MethodSource("evaluations")
    void soItIsAThousandTimes(String name, ReleaseRaces.Reading<Tensor> evaluation) throws Exception {
        ReleaseRaces.run(MANY, ~name.hashCode(), EvaluationReleaseRaceTest::numbers, evaluation);
    }
}
