package io.github.broadloom.netcdf;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.format.RawArray;
import io.github.broadloom.format.RecordArray;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.format.UnsignedArray;
import io.github.broadloom.io.ClaimedShape;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The variables of files of NetCDF version 3, each where it lies. */
final class ClassicArrays {
    private ClassicArrays() {}

    static StoredArray open(Store store, String key) throws IOException {
        ClassicHeader header = ClassicHeader.read(store);
        ClassicHeader.Variable variable = header.variables().get(key);
        if (variable == null) {
            throw TensorFormatException.noArray(
                    store.name(), key, header.variables().keySet());
        }
        String name = store.name() + ":" + TensorFormatException.quoted(key);
        DType bits = variable.type().bits();
        if (bits == null) {
            String what = variable.type() == ClassicType.CHAR ? "characters" : "unsigned 64-bit integers";
            throw TensorFormatException.cannotRead(
                    name, "it has " + what + ", for which there is no dtype; store it as numbers of another type");
        }
        Shape shape = shape(header, variable, bits, name);
        checkLength(header, variable, shape, name);
        BlockReader elements = elements(store, header, variable, bits, shape);
        UnsignedArray unsigned = variable.type().isUnsigned() ? new UnsignedArray(elements, bits) : null;
        return new StoredArray(
                key,
                unsigned == null ? bits : unsigned.dtype(),
                shape,
                StoredArray.anyBox(shape.rank()),
                variable.dimensions().stream()
                        .map(ClassicHeader.Dimension::name)
                        .toList(),
                Map.copyOf(variable.attributes()),
                variable.isRecord() ? "big-endian, in records" : "big-endian",
                unsigned == null ? elements : unsigned);
    }

    private static Shape shape(ClassicHeader header, ClassicHeader.Variable variable, DType bits, String name)
            throws TensorFormatException {
        List<ClassicHeader.Dimension> dimensions = variable.dimensions();
        long[] sizes =
                dimensions.stream().mapToLong(ClassicHeader.Dimension::length).toArray();
        if (variable.isRecord()) {
            sizes[0] = header.records();
        }
        return ClaimedShape.of(sizes, bits, name);
    }

    private static void checkLength(ClassicHeader header, ClassicHeader.Variable variable, Shape shape, String name)
            throws TensorFormatException {
        if (shape.numel() == 0) {
            return;
        }
        long before = variable.isRecord() ? header.records() - 1 : 0;
        long room = header.fileBytes() - variable.begin() - variable.bytes();
        if (room < 0 || before > 0 && header.recordBytes() > room / before) {
            throw TensorFormatException.cannotRead(
                    name, "the file ends before the last element of its " + shape + "; the file is truncated");
        }
    }

    private static BlockReader elements(
            Store store, ClassicHeader header, ClassicHeader.Variable variable, DType bits, Shape shape) {
        return variable.isRecord() && variable.bytes() != header.recordBytes()
                ? new RecordArray(store, "", variable.begin(), header.recordBytes(), bits, true, shape)
                : new RawArray(store, "", variable.begin(), bits, true, shape);
    }
}
