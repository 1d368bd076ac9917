package io.github.broadloom.safetensors;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.ArrayFormat;
import io.github.broadloom.format.FileBytes;
import io.github.broadloom.format.RawArray;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.ClaimedShape;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Reads safetensors files: of a box only its bytes. What {@code __metadata__} says is an attribute of every array. */
public final class SafetensorsFormat implements ArrayFormat {
    @Override
    public String name() {
        return "safetensors";
    }

    @Override
    public List<String> suffixes() {
        return List.of(".safetensors");
    }

    @Override
    public boolean recognizes(Store store) throws IOException {
        return SafetensorsHeader.begins(FileBytes.first(store, SafetensorsHeader.LENGTH_BYTES + 1));
    }

    @Override
    public List<String> keys(Store store) throws IOException {
        return List.copyOf(SafetensorsHeader.read(store).tensors().keySet());
    }

    @Override
    public StoredArray open(Store store, String key) throws IOException {
        SafetensorsHeader header = SafetensorsHeader.read(store);
        SafetensorsHeader.Entry entry = header.tensors().get(key);
        if (entry == null) {
            throw TensorFormatException.noArray(
                    store.name(), key, header.tensors().keySet());
        }
        String name = store.name() + ":" + key;
        DType dtype = SafetensorsDTypes.dtype(entry.dtype(), name);
        Shape shape = ClaimedShape.of(entry.shape(), dtype, name);
        if (entry.bytes() != dtype.sizeBytes(shape.numel())) {
            throw TensorFormatException.cannotRead(
                    name,
                    "its offsets leave it " + entry.bytes() + " bytes, but " + dtype + " " + shape + " has "
                            + dtype.sizeBytes(shape.numel()) + "; the file is damaged");
        }
        RawArray elements = new RawArray(store, "", header.dataOffset() + entry.begin(), dtype, false, shape);
        return new StoredArray(
                key,
                dtype,
                shape,
                StoredArray.anyBox(shape.rank()),
                List.of(),
                Map.copyOf(header.metadata()),
                "little-endian",
                elements);
    }
}
