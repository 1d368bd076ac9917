package io.github.broadloom.exec.write;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import org.apache.spark.SparkContext;

/** The sinks by their targets' names. */
public final class Sinks {
    private Sinks() {}

    /** A path that ends in {@code .npy} is one file, any other a folder of npy parts. */
    public static Sink npy(String path, WriteMode mode, Plan plan, SparkContext context) throws IOException {
        DType dtype = plan.last().outputs().get(0).dtype();
        Shape shape = plan.last().outputs().get(0).shape();
        Location target = Location.of(path, context);
        if (!path.endsWith(".npy")) {
            return new PartsSink(target, mode, PartFormat.NPY, dtype, shape);
        }
        if (target.isLocal()) {
            return new NpyFileSink(target, mode, dtype, shape);
        }
        ChunkGrid chunks = plan.last().kind().leavesChunks() ? plan.last().resultGrid() : ChunkGrid.whole(shape);
        return !target.appends() && Upload.isPossible(target) && UploadedNpySink.takes(chunks, dtype)
                ? new UploadedNpySink(target, mode, dtype, shape)
                : new JoinedNpySink(target, mode, dtype, shape);
    }

    /** A path that ends in {@code .arrow} or {@code .feather} is one file, any other a folder of Arrow parts. */
    public static Sink arrow(String path, WriteMode mode, Plan plan, SparkContext context) throws IOException {
        DType dtype = plan.last().outputs().get(0).dtype();
        Shape shape = plan.last().outputs().get(0).shape();
        Location target = Location.of(path, context);
        return path.endsWith(".arrow") || path.endsWith(".feather")
                ? new JoinedArrowSink(target, mode, dtype.sizeBytes(shape.numel()))
                : new PartsSink(target, mode, PartFormat.ARROW, dtype, shape);
    }
}
