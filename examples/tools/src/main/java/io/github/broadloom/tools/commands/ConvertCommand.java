package io.github.broadloom.tools.commands;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.ReadOptions;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tools.console.ByteSize;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.session.Locations;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.session.SparkOptions;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "convert",
        header = "Writes an array in another format, dtype or chunks, in parallel and in bounded memory.",
        description = {
            "IN is any array that info can tell of, or several as a pattern in quotes: 'days/*.nc:t'. The end of OUT says what is"
                    + " written: .npy one npy file, .zarr a Zarr store, .arrow an Arrow file, nothing a folder of npy parts."
                    + " OUT appears under its name when it is complete."
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} convert era5.nc:t2m era5.zarr --chunks 24x180x360",
            "  ${ROOT-COMMAND-NAME} convert era5.zarr by-place.zarr --chunks -1x10x144",
            "  ${ROOT-COMMAND-NAME} convert 'photos/*.png' photos.npy --stack 0 --dtype float32",
            "  ${ROOT-COMMAND-NAME} convert era5-may.nc:t2m era5.zarr --append 0",
            "",
            "Exit codes: 0 done, 1 the work failed, 2 something to mend in the command or the files."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class ConvertCommand extends Tool {
    @Parameters(index = "0", paramLabel = "IN", description = "What is read: FILE, FILE:KEY, or a pattern of several.")
    private String input;

    @Parameters(index = "1", paramLabel = "OUT", description = "What is written, by the end of its name.")
    private String output;

    @Option(
            names = "--chunks",
            paramLabel = "AxBxC",
            description = "The sizes of the chunks of OUT, -1 for a whole dimension (default: as the tasks have them).")
    private @Nullable String chunks;

    @Option(
            names = "--shards",
            paramLabel = "AxBxC",
            description =
                    "For a Zarr store: the sizes of its files, multiples of the chunks' (default: a file for each chunk).")
    private @Nullable String shards;

    @Option(
            names = "--compression",
            paramLabel = "NAME",
            description = "For a Zarr store: ${COMPLETION-CANDIDATES} (default: zstd).")
    private ZarrOptions.@Nullable Compression compression;

    @Option(names = "--zarr-version", paramLabel = "2|3", description = "For a Zarr store (default: 3).")
    private @Nullable Integer zarrVersion;

    @Option(
            names = "--dtype",
            paramLabel = "DTYPE",
            description = "The dtype of OUT, such as float32 (default: that of IN).")
    private @Nullable String dtype;

    @Option(
            names = "--format",
            paramLabel = "NAME",
            description = "The format of IN (default: as its name or its bytes say).")
    private @Nullable String format;

    @Option(
            names = "--concat",
            paramLabel = "DIM",
            description = "Several files follow each other along that dimension (default: 0).")
    private @Nullable Integer concat;

    @Option(names = "--stack", paramLabel = "DIM", description = "Several files lie along a new dimension there.")
    private @Nullable Integer stack;

    @Option(names = "--without-manifest", description = "Read directories of parts that have no manifest, too.")
    private boolean withoutManifest;

    @Option(
            names = "--append",
            paramLabel = "DIM",
            description = "OUT is a Zarr store that is there, and grows along that dimension, in its own chunks.")
    private @Nullable Integer append;

    @Option(names = "--overwrite", description = "Replace an output that exists; otherwise it is kept.")
    private boolean overwrite;

    @Mixin
    private SparkOptions spark;

    @Override
    public Integer call() throws IOException {
        ReadOptions reading = reading();
        boolean toZarr = append == null && output.replaceAll("/+$", "").endsWith(".zarr");
        if (append == null && !toZarr && (shards != null || compression != null || zarrVersion != null)) {
            throw new UserError("Cannot write " + output
                    + " with --shards, --compression or --zarr-version: these are of Zarr; let its name end in .zarr");
        }
        if (append != null) {
            checkAppend();
        }
        @Nullable DType wanted = dtype == null ? null : DType.of(dtype);
        Optional<String> created = append == null ? Optional.of(output) : Optional.empty();
        Locations.checkBeforeSpark(append == null ? List.of(input) : List.of(input, output), created, overwrite);
        try (Sessions.Session session = spark.start(this)) {
            Broadloom broadloom = spark.broadloom(session);
            DistributedTensor read = session.read(broadloom, input, reading);
            console().say("%s: %s %s, %s", input, read.dtype(), read.shape(), size(read));
            DistributedTensor cast = wanted == null ? read : read.to(wanted);
            DistributedTensor cut = toZarr || chunks == null ? cast : cast.rechunk(sizes(chunks));
            WriteMode mode = overwrite ? WriteMode.OVERWRITE : WriteMode.CREATE;
            long started = System.nanoTime();
            if (append != null) {
                cut.append(output, append);
            } else {
                Locations.write(output, mode, session.spark(), () -> {
                    if (toZarr) {
                        cut.writeZarr(output, mode, zarr(cut.shape()));
                    } else {
                        cut.write(output, mode);
                    }
                });
            }
            console()
                    .say(
                            "%s %s: %s %s, %s in %.1f s",
                            append == null ? "wrote" : "appended to",
                            output,
                            cut.dtype(),
                            cut.shape(),
                            size(cut),
                            (System.nanoTime() - started) / 1e9);
        }
        return 0;
    }

    private void checkAppend() {
        if (overwrite || chunks != null || shards != null || compression != null || zarrVersion != null) {
            throw new UserError(
                    "Cannot append to " + output
                            + " with --overwrite, --chunks, --shards, --compression or --zarr-version: it keeps those that it has");
        }
    }

    private static String size(DistributedTensor tensor) {
        return ByteSize.inWords(tensor.dtype().sizeBytes(tensor.shape().numel()));
    }

    private ReadOptions reading() {
        if (concat != null && stack != null) {
            throw new UserError("Cannot both stack files and let them follow each other; give --concat or --stack");
        }
        ReadOptions reading =
                ReadOptions.DEFAULT.manifest(withoutManifest ? ManifestMode.OPTIONAL : ManifestMode.REQUIRED);
        if (format != null) {
            reading = reading.format(format);
        }
        if (concat != null) {
            return reading.concatenatedAlong(concat);
        }
        return stack == null ? reading : reading.stackedAlong(stack);
    }

    private ZarrOptions zarr(Shape shape) {
        ZarrOptions options = ZarrOptions.DEFAULT;
        options = zarrVersion == null ? options : options.withVersion(zarrVersion);
        options = compression == null ? options : options.withCompression(compression);
        options = chunks == null ? options : options.withChunk(shape(shape, chunks));
        return shards == null ? options : options.withShard(shape(shape, shards));
    }

    private static Shape shape(Shape whole, String text) {
        long[] sizes = sizes(text);
        if (sizes.length > whole.rank()) {
            throw new UserError(
                    "Cannot cut shape " + whole + " into chunks of '" + text + "': they have more dimensions");
        }
        long[] all = whole.toArray();
        for (int d = 0; d < all.length; d++) {
            all[d] = d >= sizes.length || sizes[d] == -1 ? Math.max(1, all[d]) : sizes[d];
        }
        return Shape.of(all);
    }

    private static long[] sizes(String text) {
        try {
            return Arrays.stream(text.split("[x,]"))
                    .mapToLong(size -> Long.parseLong(size.strip()))
                    .toArray();
        } catch (NumberFormatException e) {
            throw new UserError(
                    "Cannot cut chunks of '" + text + "': write sizes as 24x180x360, -1 for a whole dimension", e);
        }
    }
}
