package io.github.broadloom.exec.formats;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.write.Append;
import io.github.broadloom.exec.write.Sink;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Planner;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.io.Serializable;
import org.apache.spark.SparkContext;

/** A format by which tensors are read and written. */
public interface FileFormat extends Serializable {
    /** One word in small letters. */
    String name();

    /**
     * Opens what is there: what describes it is checked now, elements are read later.
     *
     * @param address a path, or {@code PATH:KEY}
     * @throws TensorFormatException where it is not what its name says, or not whole
     * @throws java.nio.file.NoSuchFileException where there is none
     */
    Source open(String address, SparkContext context, Settings settings, ManifestMode mode) throws IOException;

    /** One of several files, opened on any machine. */
    default StoredArray open(Location file, String key) throws IOException {
        throw new TensorFormatException(
                "Cannot read " + file + " as one of several files: " + name() + " files are read alone");
    }

    /**
     * The plan of a value that is to be written in this format.
     *
     * @param path where it is going to be
     */
    default Plan plan(Planner planner, Expr value, String path, SparkContext context) throws IOException {
        return planner.plan(value, Want.ROWS);
    }

    /**
     * Whether the result of a plan is written in the chunks that it has.
     *
     * @param path where it is going to be
     */
    default boolean takes(String path, Plan.Result result, SparkContext context) throws IOException {
        return result.grid().cutsRowsAlone();
    }

    /**
     * Where the result of a plan becomes files.
     *
     * @throws IOException where it cannot be written in this format
     */
    Sink sink(String path, WriteMode mode, Plan.Result result, SparkContext context) throws IOException;

    /**
     * The end of an array of this format, which a value of that dtype and shape continues along a dimension.
     *
     * @throws IllegalArgumentException where the value does not fit
     * @throws IOException where nothing is there, or arrays of this format do not grow
     */
    default Append append(Address address, int dim, DType dtype, Shape shape, SparkContext context) throws IOException {
        throw new TensorFormatException(
                "Cannot append to " + address + ": " + name() + " files are written whole, those of zarr grow");
    }
}
