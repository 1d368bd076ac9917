package io.github.broadloom.exec.formats;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.exec.read.JoinedArrays;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.ReadOptions;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;

/** Several files as one tensor. They are opened by tasks: a file of a far store takes as long to open as many rows to read. */
public final class ManyFiles {
    /** A task's worth of opening. */
    private static final int OPENED_BY_A_TASK = 16;

    private ManyFiles() {}

    /** The files that a pattern of Hadoop's matches, by their names. */
    static Source matching(Address pattern, ReadOptions options, SparkContext context, Settings settings)
            throws IOException {
        Path path = new Path(pattern.path());
        FileStatus[] found = path.getFileSystem(context.hadoopConfiguration()).globStatus(path);
        if (found == null || found.length == 0) {
            throw new NoSuchFileException(pattern.path(), null, "no file has such a name");
        }
        List<String> addresses = new ArrayList<>();
        Arrays.stream(found).map(status -> status.getPath().toString()).sorted().forEach(addresses::add);
        return of(pattern.path(), addresses, pattern.key(), options, context, settings);
    }

    /**
     * Files in this order.
     *
     * @param addresses paths, or {@code PATH:KEY}
     * @throws TensorFormatException where one does not continue the first, naming it
     */
    public static Source of(List<String> addresses, ReadOptions options, SparkContext context, Settings settings)
            throws IOException {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("Cannot read no file as a tensor: name one at least");
        }
        String key = Address.of(addresses.get(0)).key();
        List<String> paths = new ArrayList<>();
        for (String address : addresses) {
            Address each = Address.of(address);
            if (!each.key().equals(key)) {
                throw new IllegalArgumentException("Cannot read " + address + " after " + addresses.get(0)
                        + ": of several files the same array is read");
            }
            paths.add(each.path());
        }
        return of(paths.get(0) + ", …", paths, key, options, context, settings);
    }

    private static Source of(
            String name, List<String> paths, String key, ReadOptions options, SparkContext context, Settings settings)
            throws IOException {
        FileFormat format = FileFormats.format(paths.get(0), options, context);
        List<Location> locations = new ArrayList<>();
        for (String path : paths) {
            locations.add(Location.of(path, context));
        }
        List<StoredArray> arrays = paths.size() <= OPENED_BY_A_TASK
                ? opened(format, locations, key)
                : openedByTasks(format, locations, key, context);
        return JoinedArrays.of(name, locations, arrays, options.join(), options.dim(), settings);
    }

    private static List<StoredArray> opened(FileFormat format, List<Location> locations, String key)
            throws IOException {
        List<StoredArray> arrays = new ArrayList<>();
        for (Location location : locations) {
            arrays.add(format.open(location, key));
        }
        return arrays;
    }

    private static List<StoredArray> openedByTasks(
            FileFormat format, List<Location> locations, String key, SparkContext context) {
        int tasks = (locations.size() + OPENED_BY_A_TASK - 1) / OPENED_BY_A_TASK;
        return new JobRunner(context)
                .described(
                        "open " + locations.size() + " files",
                        () -> JavaSparkContext.fromSparkContext(context)
                                .parallelize(locations, tasks)
                                .map(location -> format.open(location, key))
                                .collect());
    }
}
