package warned;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.expr.Rounding;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** As a user's program: outside the library's packages, because the warning names the line outside them. */
class BroadcastWarningTest {
    private static final String TEXT = "self and other do not have the same shape, but are broadcastable, and have the"
            + " same number of elements.\nChanging behavior in a backwards incompatible manner to broadcasting rather"
            + " than viewing as 1-dimensional.";

    private final Tensor column = Tensors.ones(4, 1);
    private final Tensor vector = Tensors.ones(4);
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final PrintStream standardError = System.err;

    @BeforeEach
    void listen() {
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setErr(standardError);
        BroadcastWarning.disable();
    }

    private int warnings() {
        return log.toString(StandardCharsets.UTF_8).split("UserWarning", -1).length - 1;
    }

    @Test
    void itIsOffUnlessSwitchedOn() {
        LazyTensor.of(column).add(vector);
        assertThat(BroadcastWarning.isEnabled()).isFalse();
        assertThat(warnings()).isZero();
    }

    @Test
    void itNamesTheUsersLineOnceForEach() {
        BroadcastWarning.enable();
        for (int i = 0; i < 3; i++) {
            LazyTensor.of(column).add(vector);
            LazyTensor.of(column).mul(LazyTensor.of(vector));
        }
        assertThat(warnings()).isEqualTo(2);
        assertThat(log.toString(StandardCharsets.UTF_8))
                .contains("WARN")
                .contains("BroadcastWarningTest.java:")
                .contains("UserWarning: " + TEXT);
    }

    @Test
    void lambdasTextsAndInPlaceCallsAreSeen() {
        BroadcastWarning.enable();
        UnaryOperator<LazyTensor> add = x -> x.add(vector);
        for (int i = 0; i < 2; i++) {
            assertThat(add.apply(LazyTensor.of(column)).shape()).isEqualTo(Shape.of(4, 4));
        }
        assertThat(warnings()).isEqualTo(1);
        LazyTensor.eval("a + b", Map.of("a", column, "b", vector));
        assertThat(warnings()).isEqualTo(2);
        LazyTensor.of(Tensors.ones(1, 4)).add_(vector);
        assertThat(warnings()).isEqualTo(3);
    }

    @Test
    void callsThatAreMadeOfOthersAreSeenOnce() {
        BroadcastWarning.enable();
        LazyTensor.of(column).div(vector, Rounding.FLOOR);
        LazyTensor.of(column).isclose(LazyTensor.of(vector));
        LazyTensor.of(column).rsub(vector);
        assertThat(warnings()).isEqualTo(3);
        for (String text : List.of("div(a, b)", "isclose(a, b)", "clamp(a, min=b)")) {
            BroadcastWarning.disable(); // the line is the same, and forgotten with that
            BroadcastWarning.enable();
            log.reset();
            LazyTensor.eval(text, Map.of("a", column, "b", vector));
            assertThat(warnings()).as(text).isEqualTo(1);
        }
    }

    @Test
    void equalShapesOtherCountsAndNumbersAreNotWarnedOf() {
        BroadcastWarning.enable();
        LazyTensor.of(column).add(column);
        LazyTensor.of(column).add(Tensors.ones(3));
        LazyTensor.of(Tensors.ones(1)).add(2);
        assertThat(warnings()).isZero();
    }
}
