package io.github.broadloom.exec.write;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.read.StoredSources;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.ArrayFormat;
import io.github.broadloom.format.ArrayFormats;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Planner;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.zarr.ZarrAppend;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import org.apache.spark.SparkContext;

/** How a value becomes the end of an array that is there. */
public final class Append {
    private final Location top;
    private final Location array;
    private final ZarrAppend append;

    private Append(Location top, Location array, ZarrAppend append) {
        this.top = top;
        this.array = array;
        this.append = append;
    }

    /**
     * The end of an array of Zarr.
     *
     * @param dtype of the value
     * @param shape of the value
     * @throws IllegalArgumentException where they do not fit
     */
    public static Append zarr(Address address, int dim, DType dtype, Shape shape, SparkContext context)
            throws IOException {
        Location location = Location.of(address.path(), context);
        location.checkExists();
        ArrayFormat zarr = ArrayFormats.of("zarr");
        String key = ArrayFormats.open(zarr, StoredSources.store(location), address.key())
                .key();
        Location array = key.isEmpty() ? location : location.child(key);
        // Groups above the address may have copies of the metadata, too.
        Location top = location;
        for (Location above = top.folder();
                !above.uri().equals(top.uri()) && zarr.recognizes(StoredSources.store(above));
                above = top.folder()) {
            key = key.isEmpty() ? top.fileName() : top.fileName() + "/" + key;
            top = above;
        }
        return new Append(top, array, ZarrAppend.of(StoredSources.store(top), key, dim, dtype, shape));
    }

    /** The dimension that grows, counted from the first. */
    public int dim() {
        return append.dim();
    }

    /** Where along it what is written begins. */
    public long start() {
        return append.written().start(dim());
    }

    /** How many of the indices that are stored are written again, before those of the value. */
    public long again() {
        return append.again();
    }

    /** The plan of what is written. */
    public Plan plan(Planner planner, Expr value) {
        return Sink.zarrPlan(
                planner, value, ZarrOptions.DEFAULT.withChunk(append.writer().filed()));
    }

    /** Where the value of that plan becomes files. */
    public Sink sink(Plan.Result result) {
        return new ZarrAppendSink(top, array, append, result.grid());
    }
}
