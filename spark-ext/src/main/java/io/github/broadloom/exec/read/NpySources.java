package io.github.broadloom.exec.read;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Manifest;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.Npz;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.plan.Figures;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;

/** Opens what NumPy wrote, and what {@code writeNpy} did: headers and lengths are checked here, elements are read later. */
public final class NpySources {
    private static final Pattern ARCHIVED = Pattern.compile("(.+\\.npz):([^:]+)");
    /** A Fortran-ordered file up to this size is turned around on the driver. */
    private static final long DRIVER_BYTES = 64L << 20;
    /** Shorter reads than this are not worth their calls. */
    private static final int SHORTEST_RUN_BYTES = 512;

    private NpySources() {}

    /**
     * A npy file, a folder of {@code part-NNNNN.npy} files whose rows follow each other, or {@code FILE.npz:KEY}.
     *
     * @param mode whether a folder must have a manifest
     * @throws TensorFormatException where a file is not what its name says, or not whole
     * @throws java.nio.file.NoSuchFileException where there is none
     */
    public static Source open(String path, SparkContext context, Settings settings, ManifestMode mode)
            throws IOException {
        Matcher archived = ARCHIVED.matcher(path);
        if (archived.matches()) {
            return fromArchive(Location.of(archived.group(1), context), archived.group(2));
        }
        Location location = Location.of(path, context);
        location.checkExists();
        if (location.isDirectory()) {
            return fromParts(location, mode);
        }
        if (path.endsWith(".npz")) {
            throw new TensorFormatException("Cannot read " + path + ": a npz archive holds several arrays; name one as "
                    + path + ":KEY" + keys(location));
        }
        NpyFile file = NpyFile.open(location);
        if (file.isFortran()) {
            return fromFortran(file, settings);
        }
        return source(location.fileName(), new NpyFile[] {file}, file.shape());
    }

    /** One npy file, of several that are one tensor. */
    public static StoredArray one(Location location) throws IOException {
        NpyFile file = NpyFile.open(location);
        Shape any = StoredArray.anyBox(file.shape().rank());
        return new StoredArray("", file.dtype(), file.shape(), any, List.of(), Map.of(), "npy", file);
    }

    private static String keys(Location archive) throws IOException {
        return archive.isLocal() ? " (it has " + String.join(", ", Npz.keys(archive.local())) + ")" : "";
    }

    private static Source fromArchive(Location archive, String key) throws IOException {
        archive.checkExists();
        Tensor tensor;
        if (archive.isLocal()) {
            tensor = Npz.read(archive.local(), key);
        } else {
            try (InputStream in = archive.open()) {
                tensor = Npz.read(in, key, archive.name());
            }
        }
        return new LocalSource(tensor, null, archive.fileName() + ":" + key);
    }

    private static Source fromFortran(NpyFile file, Settings settings) throws IOException {
        Shape shape = file.shape();
        long bytes = shape.numel() * file.dtype().bytes();
        Location location = file.location();
        if (bytes <= DRIVER_BYTES) {
            try (InputStream in = location.open()) {
                return new LocalSource(Npy.read(in, location.name()), null, location.fileName());
            }
        }
        long run = Math.min(
                shape.size(0) * file.dtype().bytes(),
                settings.chunkBytes() / shape.inner().numel());
        if (run < SHORTEST_RUN_BYTES) {
            throw new TensorFormatException("Cannot read " + location.name()
                    + " by rows: it is in Fortran order, where "
                    + Figures.bytes(settings.chunkBytes()) + " of rows lie in "
                    + shape.inner().numel() + " places of "
                    + run + " bytes; save it in C order with numpy.ascontiguousarray, or make the chunks larger");
        }
        return source(location.fileName(), new NpyFile[] {file}, shape);
    }

    private static Source fromParts(Location folder, ManifestMode mode) throws IOException {
        Manifest manifest = Manifest.read(folder, PartFormat.NPY);
        return manifest == null
                ? fromFound(folder, Parts.of(folder, PartFormat.NPY, mode))
                : fromListed(folder, manifest);
    }

    private static Source fromListed(Location folder, Manifest manifest) throws IOException {
        NpyFile[] files = new NpyFile[manifest.parts().size()];
        for (int i = 0; i < files.length; i++) {
            Part part = manifest.parts().get(i);
            files[i] = NpyFile.listed(folder.child(part.name()), manifest.dtype(), manifest.shape(part), part);
        }
        return source(folder.fileName(), files, manifest.shape());
    }

    private static Source fromFound(Location folder, List<Location> parts) throws IOException {
        NpyFile[] files = Parts.opened(parts, NpyFile::open).toArray(NpyFile[]::new);
        long rows = 0;
        for (NpyFile file : files) {
            checkAlike(files[0], file);
            rows = Math.addExact(rows, file.rows());
        }
        Shape first = files[0].shape();
        if (first.rank() == 0 && files.length > 1) {
            throw new TensorFormatException(
                    "Cannot read " + folder.name() + ": its parts have no dimension to follow along");
        }
        return source(folder.fileName(), files, first.rank() == 0 ? first : first.with(0, rows));
    }

    private static void checkAlike(NpyFile first, NpyFile other) throws TensorFormatException {
        boolean alike = first.dtype() == other.dtype()
                && first.shape().rank() == other.shape().rank()
                && (first.shape().rank() == 0
                        || first.shape().inner().equals(other.shape().inner()));
        if (!alike) {
            throw new TensorFormatException("Cannot read " + other.location().name() + " after "
                    + first.location().name() + ": " + other.dtype() + " " + other.shape() + " does not continue "
                    + first.dtype() + " " + first.shape());
        }
    }

    private static Source source(String name, NpyFile[] files, Shape shape) {
        long[] counts = Arrays.stream(files).mapToLong(NpyFile::rows).toArray();
        BlockReader reader =
                files.length == 1 ? files[0] : new JoinedReader(files[0].dtype(), 0, files, FileRows.of(counts));
        return new FileSource(name, name, files[0].dtype(), shape, null, null, reader);
    }
}
