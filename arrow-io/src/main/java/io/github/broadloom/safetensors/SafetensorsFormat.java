package io.github.broadloom.safetensors;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.ArrayFormat;
import io.github.broadloom.format.FileBytes;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.format.RawArray;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.ClaimedShape;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads safetensors files, and folders of them, as large models are published in: of a box only its bytes. What {@code __metadata__} says is an attribute of every array of a file.
 */
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
        if (store.isFolder("")) {
            return !files(store).isEmpty();
        }
        return SafetensorsHeader.begins(FileBytes.first(store, SafetensorsHeader.LENGTH_BYTES + 1));
    }

    /** The keys of the files in a store. */
    private List<String> files(Store store) throws IOException {
        if (!store.isFolder("")) {
            return List.of("");
        }
        return store.list("").stream()
                .filter(entry ->
                        !entry.folder() && entry.name().endsWith(suffixes().get(0)))
                .map(Store.Entry::name)
                .sorted()
                .toList();
    }

    /** The file that has each tensor. */
    private SortedMap<String, String> tensors(Store store) throws IOException {
        SortedMap<String, String> tensors = new TreeMap<>();
        for (String file : files(store)) {
            for (String tensor : SafetensorsHeader.read(store, file).tensors().keySet()) {
                String other = tensors.put(tensor, file);
                if (other != null) {
                    throw TensorFormatException.cannotRead(
                            store.name(),
                            "both " + other + " and " + file + " have a tensor '" + TensorFormatException.quoted(tensor)
                                    + "'; which one is meant cannot be told");
                }
            }
        }
        return tensors;
    }

    @Override
    public List<String> keys(Store store) throws IOException {
        return List.copyOf(tensors(store).keySet());
    }

    @Override
    public StoredArray open(Store store, String key) throws IOException {
        SortedMap<String, String> tensors = tensors(store);
        String file = tensors.get(key);
        if (file == null) {
            throw TensorFormatException.noArray(store.name(), key, tensors.keySet());
        }
        SafetensorsHeader header = SafetensorsHeader.read(store, file);
        SafetensorsHeader.Entry entry = header.entry(key);
        String name = store.name(file) + ":" + TensorFormatException.quoted(key);
        DType dtype = SafetensorsDTypes.dtype(entry.dtype(), name);
        Shape shape = ClaimedShape.of(entry.shape(), dtype, name);
        if (entry.bytes() != dtype.sizeBytes(shape.numel())) {
            throw TensorFormatException.cannotRead(
                    name,
                    "its offsets leave it " + entry.bytes() + " bytes, but " + dtype + " " + shape + " has "
                            + dtype.sizeBytes(shape.numel()) + "; the file is damaged");
        }
        RawArray elements = new RawArray(store, file, header.dataOffset() + entry.begin(), dtype, false, shape);
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

    @Override
    public FlatFile flatFile(Address target, DType dtype, Shape shape) throws IOException {
        return new FlatFile(
                Safetensors.head(
                        target.path(),
                        List.of(new Safetensors.Named(target.keyOr(FlatFile.NAME), dtype, shape)),
                        Map.of()),
                dtype,
                shape,
                false,
                0);
    }
}
