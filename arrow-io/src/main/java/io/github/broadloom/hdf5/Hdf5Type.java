package io.github.broadloom.hdf5;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.TensorFormatException;
import io.jhdf.object.datatype.BitField;
import io.jhdf.object.datatype.DataType;
import io.jhdf.object.datatype.EnumDataType;
import io.jhdf.object.datatype.FixedPoint;
import io.jhdf.object.datatype.FloatingPoint;
import java.io.Serializable;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the elements of a dataset are.
 *
 * @param bits the dtype of their bits, with a sign where they are integers wider than a byte
 * @param unsigned whether they are integers without one
 */
record Hdf5Type(DType bits, boolean unsigned, boolean bigEndian) implements Serializable {
    private static final List<String> CLASSES = List.of(
            "integers",
            "floating numbers",
            "times",
            "strings",
            "bit fields",
            "opaque data",
            "compounds",
            "references",
            "enumerations",
            "sequences of variable length",
            "arrays");

    private static final Map<Integer, DType> SIGNED =
            Map.of(1, DType.INT8, 2, DType.INT16, 4, DType.INT32, 8, DType.INT64);

    private static final List<DType> FLOATING = List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64);

    /** @throws TensorFormatException where there is no dtype for them */
    static Hdf5Type of(DataType type, String name) throws TensorFormatException {
        Hdf5Type known = null;
        if (type instanceof FixedPoint integer) {
            known = integer(integer);
        } else if (type instanceof FloatingPoint floating) {
            known = floating(floating);
        } else if (type instanceof EnumDataType named && named.getBaseType() instanceof FixedPoint integer) {
            known = isBool(named) ? new Hdf5Type(DType.BOOL, false, false) : integer(integer);
        } else if (type instanceof BitField && type.getSize() == 1) {
            known = new Hdf5Type(DType.UINT8, false, false);
        }
        if (known == null) {
            int kind = type.getDataClass();
            throw TensorFormatException.cannotRead(
                    name,
                    "its elements are " + (kind < CLASSES.size() ? CLASSES.get(kind) : "of class " + kind) + " of "
                            + type.getSize() + " bytes, for which there is no dtype");
        }
        return known;
    }

    private static @Nullable Hdf5Type integer(FixedPoint type) {
        DType signed = SIGNED.get(type.getSize());
        boolean whole = type.getBitOffset() == 0 && type.getBitPrecision() == type.getSize() * Byte.SIZE;
        if (signed == null || !whole || signed == DType.INT64 && !type.isSigned()) {
            return null;
        }
        boolean bigEndian = type.getByteOrder() == ByteOrder.BIG_ENDIAN;
        return signed == DType.INT8 && !type.isSigned()
                ? new Hdf5Type(DType.UINT8, false, bigEndian)
                : new Hdf5Type(signed, !type.isSigned(), bigEndian);
    }

    private static @Nullable Hdf5Type floating(FloatingPoint type) {
        for (DType dtype : FLOATING) {
            int mantissa = dtype.significantBits() - 1;
            int bits = dtype.bytes() * Byte.SIZE;
            boolean same = type.getSize() == dtype.bytes()
                    && type.getBitOffset() == 0
                    && type.getBitPrecision() == bits
                    && type.getMantissaLocation() == 0
                    && type.getMantissaSize() == mantissa
                    && type.getExponentLocation() == mantissa
                    && type.getExponentSize() == bits - 1 - mantissa
                    && type.getSignLocation() == bits - 1
                    && type.getExponentBias() == (1 << bits - 2 - mantissa) - 1;
            if (same) {
                return new Hdf5Type(dtype, false, type.getByteOrder() == ByteOrder.BIG_ENDIAN);
            }
        }
        return null;
    }

    /** As h5py writes bool. */
    private static boolean isBool(EnumDataType type) {
        return type.getBaseType().getSize() == 1
                && type.getEnumMapping().keySet().equals(Set.of(0, 1))
                && "FALSE".equals(type.getEnumMapping().get(0))
                && "TRUE".equals(type.getEnumMapping().get(1));
    }
}
