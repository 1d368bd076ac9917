package io.github.broadloom.format;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.util.List;

/** A format of files that hold arrays, found by its name, by the names of files, or by what lies there. Java's service loader makes it known. */
public interface ArrayFormat {
    /** One word in small letters: {@code zarr}. */
    String name();

    /** How the names of its files and folders end, with the dot: {@code .zarr}. */
    List<String> suffixes();

    /** Whether what lies there is of this format, by its first bytes or the names in it; a broken file is as well as a whole one. */
    boolean recognizes(Store store) throws IOException;

    /**
     * The keys of the arrays that it holds, in order; one empty key where the store is an array.
     *
     * @throws io.github.broadloom.io.TensorFormatException where it is damaged
     */
    List<String> keys(Store store) throws IOException;

    /**
     * One of the arrays: what describes it is read and checked now, its elements later.
     *
     * @param key one of {@link #keys}
     * @throws io.github.broadloom.io.TensorFormatException where there is none of that name, it is damaged, or of a dtype that there is not, with the names that there are
     */
    StoredArray open(Store store, String key) throws IOException;

    /**
     * How a file that holds one array alone is laid out.
     *
     * @param target where it will be; a key names the array in it
     * @throws TensorFormatException where such files are not written, or have no such dtype or shape
     */
    default FlatFile flatFile(Address target, DType dtype, Shape shape) throws IOException {
        throw TensorFormatException.cannotWrite(target.toString(), name() + " files are read, not written");
    }
}
