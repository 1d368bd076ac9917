package io.github.broadloom.netcdf;

import io.github.broadloom.dtype.DType;
import org.jspecify.annotations.Nullable;

/** An external type of NetCDF's classic formats: one row each. The last five are of CDF-5. */
enum ClassicType {
    BYTE(1, 1, DType.INT8, false),
    CHAR(2, 1, null, false),
    SHORT(3, 2, DType.INT16, false),
    INT(4, 4, DType.INT32, false),
    FLOAT(5, 4, DType.FLOAT32, false),
    DOUBLE(6, 8, DType.FLOAT64, false),
    UBYTE(7, 1, DType.INT8, true),
    USHORT(8, 2, DType.INT16, true),
    UINT(9, 4, DType.INT32, true),
    INT64(10, 8, DType.INT64, false),
    UINT64(11, 8, null, true);

    private final int code;
    private final int bytes;
    private final @Nullable DType bits;
    private final boolean unsigned;

    ClassicType(int code, int bytes, @Nullable DType bits, boolean unsigned) {
        this.code = code;
        this.bytes = bytes;
        this.bits = bits;
        this.unsigned = unsigned;
    }

    /** The type of that number; null where there is none. */
    static @Nullable ClassicType of(int code) {
        for (ClassicType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        return null;
    }

    /** The type of elements of that dtype; null where there is none. */
    static @Nullable ClassicType of(DType dtype) {
        for (ClassicType type : values()) {
            if (dtype == (type == UBYTE ? DType.UINT8 : type.unsigned ? null : type.bits)) {
                return type;
            }
        }
        return null;
    }

    int code() {
        return code;
    }

    /** Whether it is of CDF-5 alone. */
    boolean isWide() {
        return code >= UBYTE.code;
    }

    int bytes() {
        return bytes;
    }

    /** The dtype of its bits, with a sign where it is an integer; null where there is none for its values. */
    @Nullable DType bits() {
        return bits;
    }

    boolean isUnsigned() {
        return unsigned;
    }
}
