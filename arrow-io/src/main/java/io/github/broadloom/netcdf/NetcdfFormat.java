package io.github.broadloom.netcdf;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.ArrayFormat;
import io.github.broadloom.format.FileBytes;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.hdf5.Hdf5Format;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.util.List;

/**
 * Reads NetCDF files: classic, with 64-bit offsets, CDF-5, and version 4. A key with {@code ?decode} behind the name of a variable asks for the values that the CF conventions mean,
 * floating numbers with NaN where there are none; without it numbers are as they lie there.
 */
public final class NetcdfFormat implements ArrayFormat {
    private static final Hdf5Format HDF5 = new Hdf5Format();

    private static final String DECODE = "?decode";

    @Override
    public String name() {
        return "netcdf";
    }

    @Override
    public List<String> suffixes() {
        return List.of(".nc", ".nc3", ".nc4", ".netcdf", ".cdf");
    }

    @Override
    public boolean recognizes(Store store) throws IOException {
        return isClassic(store) || HDF5.recognizes(store);
    }

    @Override
    public List<String> keys(Store store) throws IOException {
        return isClassic(store)
                ? List.copyOf(ClassicHeader.read(store).variables().keySet())
                : Hdf5Format.variables(store);
    }

    /** Of version 3; those of version 4 are HDF5. */
    private static boolean isClassic(Store store) throws IOException {
        return ClassicHeader.begins(FileBytes.first(store, Integer.BYTES));
    }

    @Override
    public StoredArray open(Store store, String key) throws IOException {
        if (key.endsWith(DECODE)) {
            return CfDecoding.decode(openPacked(store, key.substring(0, key.length() - DECODE.length())));
        }
        return openPacked(store, key);
    }

    private static StoredArray openPacked(Store store, String key) throws IOException {
        return isClassic(store) ? ClassicArrays.open(store, key) : HDF5.open(store, key);
    }

    @Override
    public FlatFile flatFile(Address target, DType dtype, Shape shape) throws IOException {
        return ClassicWriter.file(target.toString(), target.keyOr(FlatFile.NAME), dtype, shape);
    }
}
