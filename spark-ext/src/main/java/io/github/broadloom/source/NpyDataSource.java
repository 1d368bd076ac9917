package io.github.broadloom.source;

import io.github.broadloom.exec.read.NpySources;
import io.github.broadloom.exec.write.Sink;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import java.io.IOException;
import org.apache.spark.SparkContext;

/**
 * Tables that are npy files, folders of npy parts, or, to be read alone, one array of an archive as {@code FILE.npz:KEY}:
 *
 * <pre>{@code
 * spark.read().format("npy").load("photos.npy").where("index BETWEEN 10 AND 19");   // reads ten rows
 * table.write().format("npy").save("centred.npy");
 * }</pre>
 */
public final class NpyDataSource extends TensorDataSource {
    /** Made by Spark, by the name of the class. */
    public NpyDataSource() {}

    @Override
    public String shortName() {
        return "npy";
    }

    @Override
    Source source(String path, SparkContext context, Settings settings, ManifestMode mode) throws IOException {
        return NpySources.open(path, context, settings, mode);
    }

    @Override
    Sink sink(String path, WriteMode mode, Plan plan, SparkContext context) throws IOException {
        return Sink.npy(path, mode, plan, context);
    }
}
