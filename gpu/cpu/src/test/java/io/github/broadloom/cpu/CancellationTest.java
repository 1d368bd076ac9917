package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels whose work is not bounded by the size of their operands end in the middle where nobody waits for them. */
class CancellationTest {
    private static final Backend CPU = Devices.backend(Device.CPU);

    @AfterEach
    void goOn() {
        Cancelling.never();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sum((a.unsqueeze(1) - b.unsqueeze(0)) ** 2, -1)",
                "amax(sin(a.unsqueeze(1) * b.unsqueeze(0)), 1)",
                "sum(a.unsqueeze(1) * exp(b.unsqueeze(0)))",
                "a @ b.t()"
            })
    void aLongKernelAsksWhetherItIsWanted(String text) {
        Expr a = Input.of(Tensors.ones(300, 700));
        Expr b = Input.of(Tensors.ones(200, 700));
        Expr expr = ExprParser.parse(text, Map.of("a", a, "b", b));
        Cancelling.never();
        CPU.evaluate(expr, 1).release();
        long asked = Cancelling.asked();
        assertThat(asked).isGreaterThan(2);
        Cancelling.after(asked / 2);
        assertThatThrownBy(() -> CPU.evaluate(expr, 1)).isInstanceOf(CancellationException.class);
    }
}
