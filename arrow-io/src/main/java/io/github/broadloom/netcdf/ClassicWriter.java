package io.github.broadloom.netcdf;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Lays out a file of NetCDF version 3 with one variable: with 64-bit offsets, which all its readers know, or CDF-5 where its dtype or a size needs that. Dimensions are called
 * as xarray calls those without a name.
 */
final class ClassicWriter {
    private static final int WIDE = 5;
    private static final int ALIGNMENT = 4;
    /** Of a variable that is larger; it is ignored. */
    private static final int LARGE = -1;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final int version;

    private ClassicWriter(int version) {
        this.version = version;
    }

    static FlatFile file(String target, String variable, DType dtype, Shape shape) throws IOException {
        ClassicType type = ClassicType.of(dtype);
        if (type == null) {
            throw TensorFormatException.cannotWrite(
                    target, "NetCDF has no " + dtype + "; cast the tensor with to(...), or write .h5 or .zarr");
        }
        if (shape.numel() == 0) {
            throw TensorFormatException.cannotWrite(
                    target, "shape " + shape + " has no elements, and a size of 0 means something else in NetCDF");
        }
        boolean wide = type.isWide() || Arrays.stream(shape.toArray()).anyMatch(size -> size > Integer.MAX_VALUE);
        long dataBytes = dtype.sizeBytes(shape.numel());
        byte[] head = new ClassicWriter(wide ? WIDE : 2).head(variable, type, shape, padded(dataBytes));
        return new FlatFile(head, dtype, shape, true, (int) (padded(dataBytes) - dataBytes));
    }

    private static long padded(long length) {
        return (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    private byte[] head(String variable, ClassicType type, Shape shape, long dataBytes) throws IOException {
        out.writeInt(ClassicHeader.MAGIC << Byte.SIZE | version);
        count(0); // records
        list(shape.rank() == 0 ? 0 : ClassicHeader.DIMENSIONS, shape.rank());
        for (int d = 0; d < shape.rank(); d++) {
            text("dim_" + d);
            count(shape.size(d));
        }
        list(0, 0); // attributes
        list(ClassicHeader.VARIABLES, 1);
        text(variable);
        count(shape.rank());
        for (int d = 0; d < shape.rank(); d++) {
            count(d);
        }
        list(0, 0);
        out.writeInt(type.code());
        count(version == WIDE || dataBytes == (int) dataBytes ? dataBytes : LARGE);
        out.writeLong(bytes.size() + Long.BYTES);
        return bytes.toByteArray();
    }

    private void list(int tag, long length) throws IOException {
        out.writeInt(tag);
        count(length);
    }

    private void count(long value) throws IOException {
        if (version == WIDE) {
            out.writeLong(value);
        } else {
            out.writeInt((int) value);
        }
    }

    private void text(String text) throws IOException {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        count(encoded.length);
        out.write(Arrays.copyOf(encoded, (int) padded(encoded.length)));
    }
}
