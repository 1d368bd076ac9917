package io.github.broadloom.arrow;

import io.github.broadloom.dtype.DType;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Arrow's type for each dtype: one row each. */
final class ArrowTypes {
    private static final Map<DType, ArrowType> TYPES = Map.of(
            DType.FLOAT32, new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE),
            DType.FLOAT64, new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE),
            DType.FLOAT16, new ArrowType.FloatingPoint(FloatingPointPrecision.HALF),
            DType.UINT8, new ArrowType.Int(8, false),
            DType.INT8, new ArrowType.Int(8, true),
            DType.INT16, new ArrowType.Int(16, true),
            DType.INT32, new ArrowType.Int(32, true),
            DType.INT64, new ArrowType.Int(64, true),
            DType.BOOL, new ArrowType.Bool());

    private ArrowTypes() {}

    static ArrowType of(DType dtype) {
        ArrowType type = TYPES.get(dtype);
        if (type == null) {
            throw new IllegalArgumentException("Cannot find the Arrow type of " + dtype);
        }
        return type;
    }

    /**
     * The dtype of that Arrow type.
     *
     * @throws IllegalArgumentException where it is none of the nine
     */
    static DType dtype(ArrowType type, String column) {
        return TYPES.entrySet().stream()
                .filter(row -> row.getValue().equals(type))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("column '" + column + "' has the Arrow type " + type
                        + ", which no tensor has; cast it to one of "
                        + Arrays.stream(DType.values()).map(DType::torchName).collect(Collectors.joining(", "))));
    }

    /** Bytes that Arrow takes for that many elements: a bool is one bit there, and one byte in a storage. */
    static long dataBytes(DType dtype, long elements) {
        return dtype == DType.BOOL ? (elements >>> 3) + ((elements & 7) == 0 ? 0 : 1) : dtype.sizeBytes(elements);
    }
}
