package io.github.broadloom.arrow;

import io.github.broadloom.dtype.DType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Arrow's type for each dtype. */
final class ArrowTypes {
    private ArrowTypes() {}

    /**
     * The Arrow type of a dtype.
     *
     * @throws IllegalArgumentException where Arrow has none
     */
    static ArrowType of(DType dtype) {
        if (!isKnown(dtype)) {
            throw new IllegalArgumentException("Cannot write Arrow: Arrow has no " + dtype
                    + "; cast the tensor with to(...) to " + dtype.widened() + " first");
        }
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
     * @throws IllegalArgumentException where no dtype has it
     */
    static DType dtype(ArrowType type, String column) {
        List<DType> known =
                Arrays.stream(DType.values()).filter(ArrowTypes::isKnown).toList();
        return known.stream()
                .filter(dtype -> of(dtype).equals(type))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("column '" + column + "' has the Arrow type " + type
                        + ", which no tensor has; cast it to one of "
                        + known.stream().map(DType::torchName).collect(Collectors.joining(", "))));
    }

    /** Arrow and NumPy have the same types of numbers. */
    private static boolean isKnown(DType dtype) {
        return dtype.numpyCode().isPresent();
    }

    /** Bytes that Arrow takes for that many elements: a bool is one bit there, and one byte in a storage. */
    static long dataBytes(DType dtype, long elements) {
        return dtype == DType.BOOL ? (elements >>> 3) + ((elements & 7) == 0 ? 0 : 1) : dtype.sizeBytes(elements);
    }
}
