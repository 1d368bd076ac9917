package io.github.broadloom.exec.formats;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Manifest;
import io.github.broadloom.exec.read.ArrowSources;
import io.github.broadloom.exec.read.NpySources;
import io.github.broadloom.exec.read.StoredSources;
import io.github.broadloom.exec.write.Append;
import io.github.broadloom.exec.write.Sink;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.ArrayFormat;
import io.github.broadloom.format.ArrayFormats;
import io.github.broadloom.format.ReadOptions;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Planner;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;

/** The formats that there are: npy and Arrow, which are written in parts, and those that {@link ArrayFormats} knows. */
public final class FileFormats {
    private static final Pattern NPY = Pattern.compile(".*\\.(npy|npz)");
    private static final Pattern ARROW = Pattern.compile(".*\\.(arrow|feather|arrows)");

    private FileFormats() {}

    /**
     * A format by its name.
     *
     * @throws IllegalArgumentException where there is none of that name, with those that there are
     */
    public static FileFormat of(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "npy", "npz" -> new Npy();
            case "arrow" -> new Arrow();
            case "zarr" -> new Zarr();
            default ->
                ArrayFormats.all().stream()
                        .filter(format -> format.name().equalsIgnoreCase(name))
                        .findFirst()
                        .<FileFormat>map(format -> new Stored(format.name()))
                        .orElseThrow(() -> new IllegalArgumentException(
                                "Cannot find format '" + name + "': there are " + String.join(", ", names())));
        };
    }

    public static List<String> names() {
        return Stream.concat(Stream.of("arrow"), ArrayFormats.all().stream().map(ArrayFormat::name))
                .sorted()
                .toList();
    }

    /** The format of what will lie at a path, or {@code PATH:KEY}, by its end: a path that ends like no format is a folder of npy parts. */
    public static FileFormat ofNew(String path) {
        String file = Address.of(path).path().replaceAll("/+$", "").toLowerCase(Locale.ROOT);
        if (ARROW.matcher(file).matches()) {
            return new Arrow();
        }
        return ArrayFormats.named(file).map(format -> of(format.name())).orElseGet(Npy::new);
    }

    /**
     * Opens what is there.
     *
     * @param address a path, which may have {@code *}, {@code ?}, {@code [...]} and {@code {...}} of several files, or {@code PATH:KEY}
     * @throws TensorFormatException where nobody knows its format, or it is damaged
     * @throws java.nio.file.NoSuchFileException where there is nothing
     */
    public static Source open(String address, ReadOptions options, SparkContext context, Settings settings)
            throws IOException {
        Address found = Address.of(address);
        if (Address.isPattern(found.path())) {
            return ManyFiles.matching(found, options, context, settings);
        }
        return format(found.path(), options, context).open(address, context, settings, options.manifest());
    }

    /**
     * The end of an array that is there, which a value of that dtype and shape continues along a dimension.
     *
     * @param address a path, or {@code PATH:KEY}
     * @throws IllegalArgumentException where the value does not fit
     * @throws TensorFormatException where arrays of its format do not grow, nobody knows the format, or it is damaged
     * @throws java.nio.file.NoSuchFileException where there is nothing
     */
    public static Append append(String address, int dim, DType dtype, Shape shape, SparkContext context)
            throws IOException {
        Address found = Address.of(address);
        return format(found.path(), ReadOptions.DEFAULT, context).append(found, dim, dtype, shape, context);
    }

    /** The format that was asked for, else that of a file, by its name or by what lies there. */
    static FileFormat format(String path, ReadOptions options, SparkContext context) throws IOException {
        if (options.format().isPresent()) {
            return of(options.format().get());
        }
        String file = path.toLowerCase(Locale.ROOT);
        if (NPY.matcher(file).matches()) {
            return new Npy();
        }
        if (ARROW.matcher(file).matches()) {
            return new Arrow();
        }
        Location location = Location.of(path, context);
        location.checkExists();
        Optional<String> ofParts = location.isDirectory() ? Manifest.format(location) : Optional.empty();
        if (ofParts.isPresent()) {
            return of(ofParts.get());
        }
        Optional<ArrayFormat> known = ArrayFormats.of(StoredSources.store(location));
        if (known.isPresent()) {
            return of(known.get().name());
        }
        Optional<ArrayFormat> named = ArrayFormats.named(path);
        if (named.isPresent()) {
            return of(named.get().name()); // which says what is missing
        }
        if (location.isDirectory()) {
            return new Npy(); // which says what a folder of parts has to be
        }
        throw new TensorFormatException("Cannot read " + path + ": it is of no known format ("
                + names().stream().collect(Collectors.joining(", ")) + ")");
    }

    private record Npy() implements FileFormat {
        @Override
        public String name() {
            return "npy";
        }

        @Override
        public Source open(String address, SparkContext context, Settings settings, ManifestMode mode)
                throws IOException {
            return NpySources.open(address, context, settings, mode);
        }

        @Override
        public StoredArray open(Location file, String key) throws IOException {
            return NpySources.one(file);
        }

        @Override
        public Plan plan(Planner planner, Expr value, String path, SparkContext context) throws IOException {
            return Sink.npyPlan(planner, value, path, context);
        }

        @Override
        public boolean takes(String path, Plan.Result result, SparkContext context) throws IOException {
            return Sink.npyTakes(path, result, context);
        }

        @Override
        public Sink sink(String path, WriteMode mode, Plan.Result result, SparkContext context) throws IOException {
            return Sink.npy(path, mode, result, context);
        }
    }

    private record Arrow() implements FileFormat {
        @Override
        public String name() {
            return "arrow";
        }

        @Override
        public Source open(String address, SparkContext context, Settings settings, ManifestMode mode)
                throws IOException {
            return ArrowSources.open(address, context, settings, mode);
        }

        @Override
        public Sink sink(String path, WriteMode mode, Plan.Result result, SparkContext context) throws IOException {
            return Sink.arrow(path, mode, result, context);
        }
    }

    /** By its name, as formats do not travel. */
    private record Stored(String name) implements FileFormat {
        @Override
        public Source open(String address, SparkContext context, Settings settings, ManifestMode mode)
                throws IOException {
            Address found = Address.of(address);
            Location location = Location.of(found.path(), context);
            location.checkExists();
            return StoredSources.of(location.fileName(), open(location, found.key()), settings);
        }

        @Override
        public StoredArray open(Location file, String key) throws IOException {
            return ArrayFormats.open(ArrayFormats.of(name), StoredSources.store(file), key);
        }

        @Override
        public Plan plan(Planner planner, Expr value, String path, SparkContext context) throws IOException {
            return Sink.flatPlan(planner, value, Location.of(Address.of(path).path(), context));
        }

        @Override
        public boolean takes(String path, Plan.Result result, SparkContext context) throws IOException {
            return Sink.flatTakes(result, Location.of(Address.of(path).path(), context));
        }

        @Override
        public Sink sink(String path, WriteMode mode, Plan.Result result, SparkContext context) throws IOException {
            return Sink.flat(Address.of(path), ArrayFormats.of(name), mode, result, context);
        }
    }

    /** Written, too, in blocks of whole files. */
    private record Zarr() implements FileFormat {
        private static final Stored READ = new Stored("zarr");

        @Override
        public String name() {
            return READ.name();
        }

        @Override
        public Source open(String address, SparkContext context, Settings settings, ManifestMode mode)
                throws IOException {
            return READ.open(address, context, settings, mode);
        }

        @Override
        public StoredArray open(Location file, String key) throws IOException {
            return READ.open(file, key);
        }

        @Override
        public Plan plan(Planner planner, Expr value, String path, SparkContext context) {
            return Sink.zarrPlan(planner, value, ZarrOptions.DEFAULT);
        }

        @Override
        public boolean takes(String path, Plan.Result result, SparkContext context) {
            return Sink.zarrTakes(result, ZarrOptions.DEFAULT);
        }

        @Override
        public Sink sink(String path, WriteMode mode, Plan.Result result, SparkContext context) throws IOException {
            Address address = Address.of(path);
            if (!address.key().isEmpty()) {
                throw TensorFormatException.cannotWrite(
                        path, "an array is written as a store of its own; leave ':" + address.key() + "' out");
            }
            return Sink.zarr(path, mode, result, context, ZarrOptions.DEFAULT);
        }

        @Override
        public Append append(Address address, int dim, DType dtype, Shape shape, SparkContext context)
                throws IOException {
            return Append.zarr(address, dim, dtype, shape, context);
        }
    }
}
