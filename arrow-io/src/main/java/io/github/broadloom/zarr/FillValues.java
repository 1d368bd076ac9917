package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.TensorFormatException;
import java.math.BigDecimal;
import java.util.Locale;

/** Fill values as JSON has them: numbers, {@code "NaN"}, {@code "-Infinity"}, the bits of a floating number in hexadecimal, and null for whatever it may be. */
final class FillValues {
    private static final String FIELD = "fill_value";

    private FillValues() {}

    static Fill read(Document metadata, ElementType type) throws TensorFormatException {
        DType dtype = type.dtype();
        JsonNode value = metadata.node().get(FIELD);
        if (value == null || value.isNull()) {
            return new Fill(dtype, 0);
        }
        try {
            return switch (dtype.kind()) {
                case BOOL -> bool(value);
                case INTEGER -> type.unsigned() ? unsigned(value, dtype) : Fill.of(dtype, integer(value));
                case FLOATING -> floating(value, dtype);
            };
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw metadata.wrong(FIELD, "a value of " + (type.unsigned() ? "u" : "") + dtype);
        }
    }

    private static Fill bool(JsonNode value) {
        if (value.isBoolean()) {
            return Fill.of(DType.BOOL, value.booleanValue());
        }
        long number = integer(value);
        if (number != 0 && number != 1) {
            throw new IllegalArgumentException("neither false nor true");
        }
        return Fill.of(DType.BOOL, number == 1);
    }

    private static Fill unsigned(JsonNode value, DType dtype) {
        long number = integer(value);
        if (number >>> dtype.bytes() * Byte.SIZE != 0) {
            throw new IllegalArgumentException("negative, or too large");
        }
        return new Fill(dtype, number);
    }

    private static long integer(JsonNode value) {
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            return value.longValue();
        }
        if (!value.isFloatingPointNumber()) {
            throw new IllegalArgumentException("no integer");
        }
        return BigDecimal.valueOf(value.doubleValue()).longValueExact();
    }

    private static Fill floating(JsonNode value, DType dtype) {
        if (value.isNumber()) {
            return Fill.of(dtype, value.doubleValue());
        }
        String text = value.isTextual() ? value.textValue() : "";
        if (text.startsWith("0x") && text.length() == 2 + 2 * dtype.bytes()) {
            return new Fill(dtype, Long.parseUnsignedLong(text.substring(2), 16));
        }
        return switch (text) {
            case "NaN" -> Fill.of(dtype, Double.NaN);
            case "Infinity" -> Fill.of(dtype, Double.POSITIVE_INFINITY);
            case "-Infinity" -> Fill.of(dtype, Double.NEGATIVE_INFINITY);
            default -> Fill.of(dtype, Double.parseDouble(text));
        };
    }

    static JsonNode write(Fill fill) {
        Object value = fill.value();
        if (value instanceof Boolean bool) {
            return BooleanNode.valueOf(bool);
        }
        if (value instanceof Long number) {
            return LongNode.valueOf(number);
        }
        double number = (Double) value;
        if (Double.isNaN(number) && !Fill.of(fill.dtype(), Double.NaN).equals(fill)) {
            String format = "0x%0" + 2 * fill.dtype().bytes() + "x";
            return TextNode.valueOf(String.format(Locale.ROOT, format, fill.bits()));
        }
        return Double.isFinite(number) ? DoubleNode.valueOf(number) : TextNode.valueOf(Double.toString(number));
    }
}
