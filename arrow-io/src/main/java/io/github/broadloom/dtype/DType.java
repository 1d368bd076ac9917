package io.github.broadloom.dtype;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An element type: one row for each of the nine. The order of the integers and of the floating types is from narrow to
 * wide where it matters ({@link Promotion}).
 */
public enum DType {
    FLOAT32("float32", "Float", Kind.FLOATING, 4, "float", "float"),
    FLOAT64("float64", "Double", Kind.FLOATING, 8, "double", "double"),
    FLOAT16("float16", "Half", Kind.FLOATING, 2, "short", "unsigned short"),
    UINT8("uint8", "Byte", Kind.INTEGER, 1, "byte", "unsigned char"),
    INT8("int8", "Char", Kind.INTEGER, 1, "byte", "signed char"),
    INT16("int16", "Short", Kind.INTEGER, 2, "short", "short"),
    INT32("int32", "Int", Kind.INTEGER, 4, "int", "int"),
    INT64("int64", "Long", Kind.INTEGER, 8, "long", "long long"),
    BOOL("bool", "Bool", Kind.BOOL, 1, "byte", "bool");

    /** The category of a dtype; promotion looks at it before the width. Declared from low to high. */
    public enum Kind {
        BOOL,
        INTEGER,
        FLOATING
    }

    private static final Map<String, DType> ALIASES =
            Map.of("float", FLOAT32, "double", FLOAT64, "half", FLOAT16, "short", INT16, "int", INT32, "long", INT64);

    private final String torchName;
    private final String typeName;
    private final Kind kind;
    private final int bytes;
    private final String javaName;
    private final String cudaName;

    DType(String torchName, String typeName, Kind kind, int bytes, String javaName, String cudaName) {
        this.torchName = torchName;
        this.typeName = typeName;
        this.kind = kind;
        this.bytes = bytes;
        this.javaName = javaName;
        this.cudaName = cudaName;
    }

    /** PyTorch's and NumPy's name, for example {@code float32}. */
    public String torchName() {
        return torchName;
    }

    /** The name that PyTorch's error texts use, for example {@code Float}, or {@code Byte} for uint8. */
    public String typeName() {
        return typeName;
    }

    /** The category that promotion looks at first. */
    public Kind kind() {
        return kind;
    }

    /** The size of one element; a bool takes one byte. */
    public int bytes() {
        return bytes;
    }

    /** The Java primitive as wide as one stored element: the bits of a float16 are a {@code short}, a bool is a {@code byte}. */
    public String javaName() {
        return javaName;
    }

    /** The CUDA C type of one stored element: the bits of a float16 are an {@code unsigned short}. */
    public String cudaName() {
        return cudaName;
    }

    /** Whether this is float16, float32 or float64. */
    public boolean isFloatingPoint() {
        return kind == Kind.FLOATING;
    }

    /** Whether a value may be negative: everything but uint8 and bool. */
    public boolean isSigned() {
        return this != UINT8 && this != BOOL;
    }

    /**
     * The bytes that {@code elementCount} elements take.
     *
     * @throws IllegalArgumentException where that passes 2⁶³ - 1
     */
    public long sizeBytes(long elementCount) {
        if (Math.multiplyHigh(elementCount, bytes) != 0 || elementCount * bytes < 0) {
            throw new IllegalArgumentException("Cannot size a tensor: " + elementCount + " elements of " + torchName
                    + " pass 2^63 - 1 bytes; use a smaller shape");
        }
        return elementCount * bytes;
    }

    /**
     * The dtype of a name: the nine names, and PyTorch's aliases {@code float}, {@code double}, {@code half},
     * {@code short}, {@code int} and {@code long}; a leading {@code torch.} is allowed.
     *
     * @throws IllegalArgumentException naming the nine, for any other name
     */
    public static DType of(String name) {
        String bare = name.toLowerCase(Locale.ROOT).replaceFirst("^torch\\.", "");
        for (DType dtype : values()) {
            if (dtype.torchName.equals(bare)) {
                return dtype;
            }
        }
        DType alias = ALIASES.get(bare);
        if (alias == null) {
            String known = Arrays.stream(values()).map(DType::torchName).collect(Collectors.joining(", "));
            throw new IllegalArgumentException("Cannot find dtype: '" + name + "'; use one of " + known);
        }
        return alias;
    }

    @Override
    public String toString() {
        return torchName;
    }
}
