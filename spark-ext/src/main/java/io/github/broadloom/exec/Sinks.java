package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import org.apache.spark.SparkContext;

/** The sinks by their targets' names. */
public final class Sinks {
    private Sinks() {}

    /** A path that ends in {@code .npy} is one file, any other a folder of npy parts. */
    public static Sink npy(String path, WriteMode mode, DType dtype, Shape shape, SparkContext context)
            throws IOException {
        Location target = Location.of(path, HadoopConfiguration.of(context));
        if (!path.endsWith(".npy")) {
            return new PartsSink(target, mode, PartFormat.NPY, dtype, shape);
        }
        return target.isLocal()
                ? new NpyFileSink(target, mode, dtype, shape)
                : new JoinedNpySink(target, mode, dtype, shape);
    }

    /** A path that ends in {@code .arrow} or {@code .feather} is one file, any other a folder of Arrow parts. */
    public static Sink arrow(String path, WriteMode mode, DType dtype, Shape shape, SparkContext context)
            throws IOException {
        Location target = Location.of(path, HadoopConfiguration.of(context));
        return path.endsWith(".arrow") || path.endsWith(".feather")
                ? new JoinedArrowSink(target, mode, dtype.sizeBytes(shape.numel()))
                : new PartsSink(target, mode, PartFormat.ARROW, dtype, shape);
    }
}
