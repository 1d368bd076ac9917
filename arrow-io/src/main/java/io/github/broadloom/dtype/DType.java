package io.github.broadloom.dtype;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An element type: one row for each, which says all that is particular to it. Who needs to know more asks for its {@link Kind}, for the
 * {@link ValueType} that its values are computed in, or for the {@link Primitive} that an element is stored in: those are closed, so a
 * switch over them is complete whatever dtypes there are.
 */
public enum DType {
    FLOAT32("float32", "Float", Primitive.FLOAT, ValueType.FLOAT, "float", "float", 24, 127, "f4", null),
    FLOAT64("float64", "Double", Primitive.DOUBLE, ValueType.DOUBLE, "double", "double", 53, 1023, "f8", null),
    FLOAT16("float16", "Half", Primitive.SHORT, ValueType.FLOAT, "u16", "c10::Half", 11, 15, "f2", Float16.FORMAT),
    UINT8("uint8", "Byte", Primitive.BYTE, ValueType.INT, "u8", "unsigned char", 8, 0, "u1", null),
    INT8("int8", "Char", Primitive.BYTE, ValueType.INT, "signed char", "signed char", 7, 0, "i1", null),
    INT16("int16", "Short", Primitive.SHORT, ValueType.INT, "short", "short int", 15, 0, "i2", null),
    INT32("int32", "Int", Primitive.INT, ValueType.INT, "int", "int", 31, 0, "i4", null),
    INT64("int64", "Long", Primitive.LONG, ValueType.LONG, "long long", "long int", 63, 0, "i8", null),
    BOOL("bool", "Bool", Primitive.BYTE, ValueType.BOOL, "u8", "bool", 1, 0, "b1", null),
    BFLOAT16(
            "bfloat16",
            "BFloat16",
            Primitive.SHORT,
            ValueType.FLOAT,
            "u16",
            "c10::BFloat16",
            8,
            127,
            null,
            BFloat16.FORMAT);

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
    private final Primitive primitive;
    private final ValueType valueType;
    private final String cudaName;
    private final String cxxName;
    private final int significantBits;
    private final int maxExponent;
    private final @Nullable String numpyCode;

    @SuppressWarnings("ImmutableEnumChecker") // both formats are without state
    private final @Nullable ReducedFloat reduced;

    DType(
            String torchName,
            String typeName,
            Primitive primitive,
            ValueType valueType,
            String cudaName,
            String cxxName,
            int significantBits,
            int maxExponent,
            @Nullable String numpyCode,
            @Nullable ReducedFloat reduced) {
        this.torchName = torchName;
        this.typeName = typeName;
        this.primitive = primitive;
        this.valueType = valueType;
        this.cudaName = cudaName;
        this.cxxName = cxxName;
        this.significantBits = significantBits;
        this.maxExponent = maxExponent;
        this.numpyCode = numpyCode;
        this.reduced = reduced;
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
        return valueType.kind();
    }

    /** The size of one element; a bool takes one byte. */
    public int bytes() {
        return primitive.bytes();
    }

    /** The Java primitive as wide as one stored element: the bits of a float16 are a {@code short}, a bool is a {@code byte}. */
    public Primitive primitive() {
        return primitive;
    }

    /** What its values are computed in. */
    public ValueType valueType() {
        return valueType;
    }

    /** The dtype whose elements are values of {@link #valueType()} as they are: int32 for int8, float32 for float16. */
    public DType widened() {
        return switch (valueType) {
            case BOOL -> BOOL;
            case INT -> INT32;
            case LONG -> INT64;
            case FLOAT -> FLOAT32;
            case DOUBLE -> FLOAT64;
        };
    }

    /** The type of one stored element in CUDA C: the bits of a float16 are a {@code u16}, which the kernels' prelude defines, a bool is a {@code u8}. */
    public String cudaName() {
        return cudaName;
    }

    /** C++'s name of PyTorch's type of an element, as its error texts print it: {@code long int}. */
    public String cxxName() {
        return cxxName;
    }

    /**
     * What follows the order of bytes in NumPy's {@code descr}: {@code f4}; empty where NumPy has no such dtype, and then Arrow has none
     * either.
     */
    public Optional<String> numpyCode() {
        return Optional.ofNullable(numpyCode);
    }

    /** Whether this is float16, float32 or float64. */
    public boolean isFloatingPoint() {
        return kind() == Kind.FLOATING;
    }

    /** Whether this is a floating dtype that is computed in float32 and rounded. */
    public boolean isReducedFloatingPoint() {
        return reduced != null;
    }

    /**
     * The conversions of a reduced floating dtype.
     *
     * @throws IllegalStateException where it is not {@linkplain #isReducedFloatingPoint() one}
     */
    public ReducedFloat reduced() {
        if (reduced == null) {
            throw new IllegalStateException(torchName + " is computed in as it is");
        }
        return reduced;
    }

    /** Whether a value may be negative: everything but uint8 and bool. */
    public boolean isSigned() {
        return kind() == Kind.FLOATING || kind() == Kind.INTEGER && significantBits < bytes() * Byte.SIZE;
    }

    /** Binary digits of a value but for its sign: of an integer all, of a floating number those of the significand, the first one too. */
    public int significantBits() {
        return significantBits;
    }

    /** The exponent of the largest power of two; of floating dtypes alone. */
    int maxExponent() {
        return maxExponent;
    }

    /** Whether every value of another dtype is a value of this one, so that a cast changes none. */
    public boolean holds(DType other) {
        return switch (kind()) {
            case BOOL -> other == BOOL;
            case INTEGER ->
                !other.isFloatingPoint()
                        && other.significantBits <= significantBits
                        && (isSigned() || !other.isSigned());
            case FLOATING -> other.significantBits <= significantBits && other.maxExponent <= maxExponent;
        };
    }

    /**
     * The bytes that {@code elementCount} elements take.
     *
     * @throws IllegalArgumentException where that passes 2⁶³ - 1
     */
    public long sizeBytes(long elementCount) {
        if (Math.multiplyHigh(elementCount, bytes()) != 0 || elementCount * bytes() < 0) {
            throw new IllegalArgumentException("Cannot size a tensor: " + elementCount + " elements of " + torchName
                    + " pass 2^63 - 1 bytes; use a smaller shape");
        }
        return elementCount * bytes();
    }

    /**
     * The dtype of a name: their own, and PyTorch's aliases {@code float}, {@code double}, {@code half},
     * {@code short}, {@code int} and {@code long}; a leading {@code torch.} is allowed.
     *
     * @throws IllegalArgumentException naming them all, for any other name
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
