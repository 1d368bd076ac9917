package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.Golden;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Ulps;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;

/** Operands and expectations of conformance vectors, and how they are compared. */
final class Vectors {

    private Vectors() {}

    /** A view over a whole storage. */
    static Tensor tensor(JsonNode operand) {
        Layout layout = Layout.of(
                Shape.of(Golden.longs(operand.get("shape"))),
                Golden.longs(operand.get("stride")),
                operand.get("offset").longValue());
        return Tensors.fromStorageValues(
                DType.of(operand.get("dtype").asText()), layout, values(operand.get("storage")));
    }

    /** A plain number or bool. */
    private static Object number(JsonNode node) {
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        if (node.isTextual()) {
            return Double.parseDouble(node.asText());
        }
        return node.isIntegralNumber() ? (Object) node.longValue() : (Object) node.doubleValue();
    }

    private static List<Object> values(JsonNode list) {
        List<Object> values = new ArrayList<>();
        list.forEach(node -> values.add(number(node)));
        return values;
    }

    /** Checks a result against {@code expect}, as closely as the line permits. */
    static void check(Tensor got, JsonNode line) {
        JsonNode expect = line.get("expect");
        DType dtype = DType.of(expect.get("dtype").asText());
        assertThat(got.dtype()).isEqualTo(dtype);
        assertThat(got.shape().toArray()).isEqualTo(Golden.longs(expect.get("shape")));
        List<Object> wanted = values(expect.get("values"));
        List<Object> values = got.values();
        for (int i = 0; i < wanted.size(); i++) {
            String where = "element " + i + ": expected " + wanted.get(i) + ", got " + values.get(i);
            assertThat(agrees(values.get(i), wanted.get(i), dtype, line))
                    .as(where)
                    .isTrue();
        }
    }

    private static boolean agrees(Object got, Object wanted, DType dtype, JsonNode line) {
        if (!dtype.isFloatingPoint()) {
            return got.equals(wanted);
        }
        double a = ((Number) got).doubleValue();
        double b = ((Number) wanted).doubleValue();
        if (Double.isNaN(a) || Double.isNaN(b)) {
            return Double.isNaN(a) && Double.isNaN(b);
        }
        if (a == b) {
            boolean signs = line.path("signed_zero").asBoolean(false);
            return !signs || a != 0 || Math.copySign(1, a) == Math.copySign(1, b);
        }
        if (Double.isInfinite(a) || Double.isInfinite(b)) {
            return false;
        }
        double tolerance = line.path("atol").asDouble(0) + line.path("rtol").asDouble(0) * Math.abs(b);
        return Math.abs(a - b) <= tolerance
                || Ulps.between(a, b, dtype) <= line.path("ulp").asLong(0);
    }
}
