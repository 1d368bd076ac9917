package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TensorPrinterTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Stream<Named<JsonNode>> vectors() throws IOException {
        try (InputStream in = TensorPrinterTest.class.getResourceAsStream("/golden/print.jsonl")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().map(line -> {
                try {
                    JsonNode vector = JSON.readTree(line);
                    return Named.of(vector.get("id").asText(), vector);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void printsAsPyTorchDoes(JsonNode vector) {
        assertThat(TensorPrinter.print(operand(vector.get("a"))))
                .isEqualTo(vector.get("expect").asText());
    }

    private static Tensor operand(JsonNode a) {
        DType dtype = DType.of(a.get("dtype").asText());
        Layout layout = Layout.of(
                Shape.of(longs(a.get("shape"))),
                longs(a.get("stride")),
                a.get("offset").asLong());
        List<Object> values = new ArrayList<>();
        for (JsonNode value : a.get("storage")) {
            values.add(
                    value.isBoolean()
                            ? (Object) value.asBoolean()
                            : value.isTextual()
                                    ? (Object) Double.valueOf(value.asText())
                                    : dtype.isFloatingPoint() ? (Object) value.asDouble() : (Object) value.asLong());
        }
        return Tensors.fromStorageValues(dtype, layout, values);
    }

    private static long[] longs(JsonNode array) {
        long[] values = new long[array.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = array.get(i).asLong();
        }
        return values;
    }

    /** Such a tensor has 10¹² elements; reading them all would outlast any build. */
    @Test
    void aHugeTensorIsReadAtItsEdgesOnly() {
        Tensor huge = Tensors.scalar(7L, DType.INT64).expand(1_000_000, 1_000_000);

        assertThat(huge).hasToString("""
                tensor([[7, 7, 7,  ..., 7, 7, 7],
                        [7, 7, 7,  ..., 7, 7, 7],
                        [7, 7, 7,  ..., 7, 7, 7],
                        ...,
                        [7, 7, 7,  ..., 7, 7, 7],
                        [7, 7, 7,  ..., 7, 7, 7],
                        [7, 7, 7,  ..., 7, 7, 7]])""");
    }

    @Test
    void elementsThatAreNotShownDoNotDecideTheNotation() {
        double[] values = new double[1001];
        values[500] = 1e20;

        assertThat(float64(values)).hasToString("tensor([0., 0., 0.,  ..., 0., 0., 0.], dtype=float64)");
    }

    // These follow from the rules in torch/_tensor_str.py and from C's printf.
    @Test
    void largeAndSmallNumbersTakeScientificNotation() {
        assertThat(Tensors.of(1e-5f, 2f)).hasToString("tensor([1.0000e-05, 2.0000e+00])");
        assertThat(Tensors.of(1e9f, 0f, Float.NaN)).hasToString("tensor([1.0000e+09, 0.0000e+00,        nan])");
        assertThat(float64(1.0, 1000.0)).hasToString("tensor([   1., 1000.], dtype=float64)");
        assertThat(float64(1.0, 1001.0)).hasToString("tensor([1.0000e+00, 1.0010e+03], dtype=float64)");
        assertThat(float64(1.5e-300, -1.5e300)).hasToString("tensor([ 1.5000e-300, -1.5000e+300], dtype=float64)");
    }

    @Test
    void roundingIsExactAndHalvesGoToEven() {
        assertThat(Tensors.of(0.00005f, 0.5f)).hasToString("tensor([5.0000e-05, 5.0000e-01])");
        assertThat(float64(0.03125, 0.5)).hasToString("tensor([0.0312, 0.5000], dtype=float64)");
        assertThat(float64(-0.0, 0.5)).hasToString("tensor([-0.0000, 0.5000], dtype=float64)");
        assertThat(Tensors.of(2.5f, 1e-3f)).hasToString("tensor([2.5000e+00, 1.0000e-03])");
    }

    @Test
    void onlyNonFiniteNumbersLeaveTheWidthAlone() {
        assertThat(Tensors.of(Float.NaN, 0f, Float.NEGATIVE_INFINITY)).hasToString("tensor([nan, 0., -inf])");
    }

    @Test
    void anEmptyTensorShowsItsSizesAndAnyDtypeButTheDefault() {
        assertThat(Tensors.zeros(0)).hasToString("tensor([])");
        assertThat(Tensors.zeros(Shape.of(0), DType.INT64)).hasToString("tensor([], dtype=int64)");
        assertThat(Tensors.zeros(Shape.of(2, 0), DType.BOOL)).hasToString("tensor([], size=(2, 0), dtype=bool)");
    }

    /** PyTorch measures the line with the module's name before the dtype's, which is left out here. */
    @Test
    void aSuffixThatDoesNotFitTakesALineOfItsOwn() {
        assertThat(float64(new double[12])).hasToString("tensor([" + "0., ".repeat(11) + "0.], dtype=float64)");
        assertThat(float64(new double[13])).hasToString("tensor([" + "0., ".repeat(12) + "0.],\n       dtype=float64)");
    }

    private static Tensor float64(double... values) {
        return Tensors.copyOf(values, values.length);
    }
}
