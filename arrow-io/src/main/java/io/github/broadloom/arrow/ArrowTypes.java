package io.github.broadloom.arrow;

import io.github.broadloom.dtype.DType;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Arrow's type for each dtype. */
final class ArrowTypes {
    private ArrowTypes() {}

    static ArrowType of(DType dtype) {
        int bits = dtype.bytes() * Byte.SIZE;
        return switch (dtype.kind()) {
            case BOOL -> new ArrowType.Bool();
            case INTEGER -> new ArrowType.Int(bits, dtype.isSigned());
            case FLOATING ->
                new ArrowType.FloatingPoint(
                        switch (dtype.primitive()) {
                            case SHORT -> FloatingPointPrecision.HALF;
                            case FLOAT -> FloatingPointPrecision.SINGLE;
                            case DOUBLE -> FloatingPointPrecision.DOUBLE;
                            case BYTE, INT, LONG ->
                                throw new IllegalStateException("Cannot find the Arrow type of " + dtype);
                        });
        };
    }

    /**
     * The dtype of that Arrow type.
     *
     * @throws IllegalArgumentException where it is none of the nine
     */
    static DType dtype(ArrowType type, String column) {
        return Arrays.stream(DType.values())
                .filter(dtype -> of(dtype).equals(type))
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
