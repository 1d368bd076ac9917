package io.github.broadloom.source;

import java.util.HashMap;
import java.util.Map;

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
    TableOptions options(Map<String, String> given) {
        Map<String, String> all = new HashMap<>(given);
        all.put("format", shortName());
        return super.options(all);
    }
}
