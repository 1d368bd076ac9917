package io.github.broadloom.exec.write;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.ArrayFormat;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.format.NpyFormat;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Planner;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.zarr.ZarrOptions;
import io.github.broadloom.zarr.ZarrWriter;
import java.io.IOException;
import java.io.Serializable;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/**
 * Where a tensor is written: under a temporary name that becomes the final one when everything is there. Whoever begins commits or
 * aborts.
 */
public abstract class Sink {
    final Location target;
    final WriteMode mode;

    Sink(Location target, WriteMode mode) {
        this.target = target;
        this.mode = mode;
    }

    /** A path that ends in {@code .npy} is one file, any other a folder of npy parts. */
    public static Sink npy(String path, WriteMode mode, Plan.Result result, SparkContext context) throws IOException {
        return path.endsWith(".npy")
                ? flat(new Address(path, ""), new NpyFormat(), mode, result, context)
                : new PartsSink(Location.of(path, context), mode, PartFormat.NPY, result.dtype(), result.shape());
    }

    /** The plan of a value for {@link #npy}. */
    public static Plan npyPlan(Planner planner, Expr value, String path, SparkContext context) throws IOException {
        return path.endsWith(".npy")
                ? flatPlan(planner, value, Location.of(path, context))
                : planner.plan(value, Want.ROWS);
    }

    /** Whether {@link #npy} writes the chunks of a result as they are. */
    public static boolean npyTakes(String path, Plan.Result result, SparkContext context) throws IOException {
        return path.endsWith(".npy")
                ? flatTakes(result, Location.of(path, context))
                : result.grid().cutsRowsAlone();
    }

    /** The plan of a value for {@link #flat}: on a disk that all share, blocks are written as they come, if their rows are not too short; else rows are. */
    public static Plan flatPlan(Planner planner, Expr value, Location target) throws IOException {
        Plan plan = planner.plan(value, target.isLocal() ? Want.VALUE : Want.ROWS);
        return flatTakes(plan.result(), target) ? plan : planner.plan(value, Want.ROWS);
    }

    /** Whether {@link #flat} writes the chunks of a result as they are. */
    public static boolean flatTakes(Plan.Result result, Location target) {
        return result.grid().cutsRowsAlone() || target.isLocal() && FlatFileSink.takes(result.grid(), result.dtype());
    }

    /**
     * One file that holds the array alone.
     *
     * @throws io.github.broadloom.io.TensorFormatException where the format is not written so, or has no such dtype or shape
     */
    public static Sink flat(
            Address address, ArrayFormat format, WriteMode mode, Plan.Result result, SparkContext context)
            throws IOException {
        FlatFile file = format.flatFile(address, result.dtype(), result.shape());
        Location target = Location.of(address.path(), context);
        if (target.isLocal()) {
            return new FlatFileSink(target, mode, file, result.grid());
        }
        return !target.appends() && Upload.isPossible(target) && UploadedFlatSink.takes(result.grid(), file)
                ? new UploadedFlatSink(target, mode, file)
                : new JoinedFlatSink(target, mode, file);
    }

    /** A path that ends in {@code .arrow} or {@code .feather} is one file, any other a folder of Arrow parts. */
    public static Sink arrow(String path, WriteMode mode, Plan.Result result, SparkContext context) throws IOException {
        Location target = Location.of(path, context);
        return path.endsWith(".arrow") || path.endsWith(".feather")
                ? new JoinedArrowSink(
                        target, mode, result.dtype().sizeBytes(result.shape().numel()))
                : new PartsSink(target, mode, PartFormat.ARROW, result.dtype(), result.shape());
    }

    /**
     * An array of Zarr, for the result of a plan that {@link #zarrPlan} made.
     *
     * @throws IllegalArgumentException where the options and the array do not go together, or the result is cut elsewhere
     */
    public static Sink zarr(String path, WriteMode mode, Plan.Result result, SparkContext context, ZarrOptions options)
            throws IOException {
        return zarr(path, mode, result, context, options, null);
    }

    /** As {@link #zarr(String, WriteMode, Plan.Result, SparkContext, ZarrOptions)}, in a group where there is one. */
    public static Sink zarr(
            String path,
            WriteMode mode,
            Plan.Result result,
            SparkContext context,
            ZarrOptions options,
            @Nullable ZarrGroup group)
            throws IOException {
        DType dtype = result.dtype();
        Shape shape = result.shape();
        ZarrOptions chosen = ZarrCuts.chosen(result, options);
        ZarrWriter array = ZarrWriter.of(dtype, shape, chosen);
        if (!zarrTakes(result, chosen)) {
            throw new IllegalArgumentException("Cannot write " + path + " in " + result.grid()
                    + ": its files hold blocks of " + array.filed() + "; rechunk the tensor first");
        }
        boolean stored = chosen.compression() == ZarrOptions.Compression.NONE;
        long sizeBytes = stored ? dtype.sizeBytes(shape.numel()) : 0;
        return new ZarrSink(Location.of(path, context), mode, array, result.grid(), sizeBytes, group);
    }

    /** The plan of a value that is to become an array of Zarr: in the chunks that it has by itself, where these are of whole files, else cut again. */
    public static Plan zarrPlan(Planner planner, Expr value, ZarrOptions options) {
        Plan plan = planner.plan(value, Want.CHUNKS);
        Plan.Result result = plan.result();
        return ZarrCuts.needed(result, ZarrCuts.chosen(result, options))
                .map(cuts -> planner.plan(value, cuts))
                .orElse(plan);
    }

    /** Whether {@link #zarr} writes the chunks of a result as they are. */
    public static boolean zarrTakes(Plan.Result result, ZarrOptions options) {
        return ZarrCuts.needed(result, ZarrCuts.chosen(result, options)).isEmpty();
    }

    /** Writes one chunk. It may be called several times for one chunk, also at the same time: tasks are retried and speculated. */
    public interface ChunkWriter extends Serializable {
        /**
         * @param chunk contiguous
         * @param index the chunk's number
         * @param firstRow its first row
         * @param attempt a number that no other call has
         * @return what the chunk has become, which is the same for all calls
         */
        Part write(Tensor chunk, int index, long firstRow, long attempt) throws IOException;
    }

    /**
     * Checks that the target may be written, and makes room for it, before any job.
     *
     * @throws java.nio.file.FileAlreadyExistsException where something is there that must be kept
     */
    public abstract void begin() throws IOException;

    public abstract ChunkWriter writer();

    /**
     * Gives the written chunks their final name.
     *
     * @param parts what the tasks that wrote them told, in the order of the chunks
     * @throws IOException where something of that is not there
     */
    public abstract void commit(List<Part> parts) throws IOException;

    public abstract void abort() throws IOException;

    public final String name() {
        return target.name();
    }

    /** What a person is told where writing fails. */
    public String sentence(String problem) {
        return sentence(name(), problem);
    }

    /** The same of several, none of which has got its final name. */
    public static String sentence(Collection<Sink> sinks, String problem) {
        return sinks.size() == 1
                ? sinks.iterator().next().sentence(problem)
                : sentence(sinks.stream().map(Sink::name).collect(Collectors.joining(", ")), problem);
    }

    private static String sentence(String names, String problem) {
        return "Cannot write " + names + ": " + problem + "; nothing was left there";
    }
}
