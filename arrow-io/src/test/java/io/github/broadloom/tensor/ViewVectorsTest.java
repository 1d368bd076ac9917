package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.Golden;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Chains of views: every shape, stride, offset, value and error text is PyTorch's. */
class ViewVectorsTest {

    static Stream<Named<JsonNode>> chains() {
        return Golden.lines("view.jsonl", "view");
    }

    @ParameterizedTest
    @MethodSource("chains")
    void theChainGivesPyTorchsView(JsonNode line) {
        Shape shape = Shape.of(Golden.longs(line.get("start")));
        DType dtype = DType.of(line.get("dtype").asText());
        Tensor start = Tensors.arange(0, shape.numel(), 1, dtype).reshape(shape.toArray());
        if (line.has("error")) {
            assertThatThrownBy(() -> run(start, line.get("steps")))
                    .isInstanceOfAny(IllegalArgumentException.class, IndexOutOfBoundsException.class)
                    .hasMessage(line.get("error").asText());
            return;
        }
        JsonNode expected = line.get("expect");
        Tensor view = run(start, line.get("steps"));
        assertThat(view.shape().toArray()).isEqualTo(Golden.longs(expected.get("shape")));
        assertThat(view.layout().offset()).isEqualTo(expected.get("offset").longValue());
        assertThat(view.values()).isEqualTo(values(expected.get("values"), dtype));
        if (expected.has("stride")) { // a copy that keeps other strides is PyTorch's own affair
            assertThat(view.layout().strides()).isEqualTo(Golden.longs(expected.get("stride")));
            assertThat(view.isContiguous()).isEqualTo(expected.get("contiguous").booleanValue());
        }
        if (!expected.get("shares_storage").isNull()) {
            assertThat(view.storage() == start.storage())
                    .isEqualTo(expected.get("shares_storage").booleanValue());
        }
    }

    private static List<Object> values(JsonNode list, DType dtype) {
        List<Object> values = new ArrayList<>();
        list.forEach(value ->
                values.add(dtype.isFloatingPoint() ? (Object) value.doubleValue() : (Object) value.longValue()));
        return values;
    }

    private static Tensor run(Tensor start, JsonNode steps) {
        Tensor view = start;
        for (JsonNode step : steps) {
            view = run(view, step.get(0).asText(), step);
        }
        return view;
    }

    private static Tensor run(Tensor view, String name, JsonNode step) {
        return switch (name) {
            case "reshape" -> view.reshape(Golden.longs(step.get(1)));
            case "view" -> view.view(Golden.longs(step.get(1)));
            case "flatten" -> view.flatten();
            case "contiguous" -> view.contiguous();
            case "expand" -> view.expand(Golden.longs(step.get(1)));
            case "repeat" -> view.repeat(Golden.longs(step.get(1)));
            case "flip" -> view.flip(Golden.ints(step.get(1)));
            case "permute" -> view.permute(Golden.ints(step.get(1)));
            case "transpose" -> view.transpose(integer(step, 1), integer(step, 2));
            case "movedim" -> view.movedim(integer(step, 1), integer(step, 2));
            case "t" -> view.t();
            case "unsqueeze" -> view.unsqueeze(integer(step, 1));
            case "squeeze" -> step.size() == 1 ? view.squeeze() : view.squeeze(integer(step, 1));
            case "select" -> view.select(integer(step, 1), integer(step, 2));
            case "narrow" -> view.narrow(integer(step, 1), integer(step, 2), integer(step, 3));
            case "slice" -> view.slice(integer(step, 1), bound(step, 2), bound(step, 3), integer(step, 4));
            default -> throw new AssertionError("a step that this test does not know: " + name);
        };
    }

    private static int integer(JsonNode step, int at) {
        return step.get(at).intValue();
    }

    private static Long bound(JsonNode step, int at) {
        return step.get(at).isNull() ? null : step.get(at).longValue();
    }
}
