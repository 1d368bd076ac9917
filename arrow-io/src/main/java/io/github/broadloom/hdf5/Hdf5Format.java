package io.github.broadloom.hdf5;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.ArrayFormat;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.List;

/** Reads datasets of HDF5 files. A key is a path, with or without a slash in front: {@code group/x}. */
public final class Hdf5Format implements ArrayFormat {
    @Override
    public String name() {
        return "hdf5";
    }

    @Override
    public List<String> suffixes() {
        return List.of(".h5", ".hdf5", ".he5", ".hdf");
    }

    @Override
    public boolean recognizes(Store store) throws IOException {
        if (store.isFolder("")) {
            return false;
        }
        try (SeekableByteChannel in = store.open("")) {
            // Blocks of a user's that are longer than the shortest are looked for where the name says that it is worth
            // it.
            boolean named = suffixes().stream().anyMatch(store.name()::endsWith);
            return Hdf5Storage.start(in, named ? in.size() : Hdf5Storage.FIRST_USER_BLOCK) >= 0;
        }
    }

    @Override
    public List<String> keys(Store store) throws IOException {
        return Hdf5File.use(store, store.name(), Hdf5File::datasets);
    }

    /** The keys of a NetCDF file's variables: a dimension that is no variable has a dataset, too. */
    public static List<String> variables(Store store) throws IOException {
        return Hdf5File.use(
                store,
                store.name(),
                file -> file.datasets().stream()
                        .filter(path -> !file.isOnlyDimension(path))
                        .toList());
    }

    @Override
    public StoredArray open(Store store, String key) throws IOException {
        return Hdf5Arrays.open(store, key);
    }

    @Override
    public FlatFile flatFile(Address target, DType dtype, Shape shape) throws IOException {
        return Hdf5Writer.file(target.keyOr(FlatFile.NAME), dtype, shape);
    }
}
