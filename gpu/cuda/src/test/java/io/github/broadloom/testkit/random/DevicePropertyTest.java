package io.github.broadloom.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cuda.Rehearsal;
import io.github.broadloom.cuda.WithFakeGpu;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.DeviceProperty.Operands;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random expressions through generated CUDA C, as {@code gpu-check} runs them on a GPU. */
@WithFakeGpu
class DevicePropertyTest {
    static LongStream seeds() {
        return Property.seeds(300);
    }

    private static Property property(long seed) {
        return DeviceProperty.of(Device.of("cuda"), seed);
    }

    @BeforeAll
    static void compileAllAtOnce() {
        Rehearsal.compile(() -> seeds().forEach(seed -> {
            try {
                property(seed).check(RandomExprs.of(seed));
            } catch (Exception | AssertionError unrehearsed) {
                assertThat(unrehearsed).isNotNull(); // nothing is computed yet
            }
        }));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theDeviceComputesWhatTheCpuComputes(long seed) {
        Property.check(seed, RandomExprs.of(seed), property(seed));
    }

    @Test
    void whatTheCpuRefusesTheDeviceRefuses() {
        Expr quotient = ExprParser.parse(
                "x // (x - 1) + 1", Map.of("x", Input.of(Tensors.of(3, 2, 1)))); // divides by zero in the last place
        for (Operands operands : Operands.values()) {
            new DeviceProperty(Device.of("cuda"), operands).check(quotient);
        }
    }

    @Test
    void anOperandAloneIsItsOwnValue() {
        Expr turned = Input.of(Tensors.arange(6).reshape(2, 3).t());
        for (Operands operands : Operands.values()) {
            new DeviceProperty(Device.of("cuda"), operands).check(turned);
        }
    }

    @Test
    void aDifferenceIsTold() {
        Expr x = Input.of(Tensors.of(3.0, 2.0));
        Expr sum = ExprParser.parse("exp(x + 1) * 0 + 5", Map.of("x", x));
        Property.check(0, sum, new DeviceProperty(Device.of("cuda"), Operands.THERE)); // its kernels are known now
        Rehearsal.compile(() -> assertThatThrownBy(
                        () -> new DeviceProperty(Device.of("cuda"), Operands.THERE).check(sum))
                .hasMessageMatching("element 0 of 2: the CPU has 54\\.5\\d+, cuda .*, and [1-9] ulps are permitted"));
    }
}
