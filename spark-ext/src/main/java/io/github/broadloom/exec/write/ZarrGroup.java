package io.github.broadloom.exec.write;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.named.Coordinate;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.zarr.Encoded;
import io.github.broadloom.zarr.ZarrOptions;
import io.github.broadloom.zarr.ZarrWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A group of Zarr in which an array lies beside the coordinates of its dimensions, each in the folder of its name, as xarray has them.
 *
 * @param name of the array
 * @param options of the array
 */
public record ZarrGroup(String name, Collection<Coordinate> coordinates, ZarrOptions options) {
    private static final Pattern NAME = Pattern.compile("(?!zarr\\.json$)[^./_][^/]*");

    /** @throws TensorFormatException where one of the arrays cannot have its name */
    void check(Location target, WriteMode mode) throws IOException {
        for (Coordinate coordinate : coordinates) {
            if (coordinate.name().equals(name)) {
                throw cannotWrite(target, "a coordinate has that name, too; give the array another one behind a colon");
            }
        }
        Optional<String> wrong =
                names().filter(folder -> !NAME.matcher(folder).matches()).findFirst();
        if (wrong.isPresent()) {
            throw cannotWrite(target, "'" + wrong.get() + "' is no name of a folder");
        }
        if (options.version() != 3) {
            throw cannotWrite(target, "names with coordinates are written as version 3");
        }
        String own = names().map(Pattern::quote).collect(Collectors.joining("|"));
        Targets.checkFolder(target, mode, Pattern.compile("zarr\\.json|" + own), "these arrays of Zarr");
        for (String folder : names().toList()) {
            if (target.exists()) {
                Targets.checkFolder(target.child(folder), mode, ZarrSink.OWN, "an array of Zarr");
            }
        }
    }

    private TensorFormatException cannotWrite(Location target, String why) {
        return TensorFormatException.cannotWrite(target.name() + ":" + name, why);
    }

    private Stream<String> names() {
        return Stream.concat(Stream.of(name), coordinates.stream().map(Coordinate::name));
    }

    /**
     * All files but the chunks of the array, in the order in which they are written: what says that something is there comes last.
     *
     * @param metadata of the array
     */
    Map<String, byte[]> files(Map<String, byte[]> metadata) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (Coordinate coordinate : coordinates) {
            ZarrOptions alone = ZarrOptions.DEFAULT
                    .withCompression(options.compression())
                    .withChunk(Shape.of(Math.max(1, coordinate.size())))
                    .withDimensions(List.of(coordinate.name()))
                    .withAttributes(coordinate.attributes());
            ZarrWriter writer = ZarrWriter.of(
                    coordinate.values().dtype(), coordinate.values().shape(), alone);
            writer.write(
                    coordinate.values(),
                    new long[1],
                    (key, pieces) -> files.put(coordinate.name() + "/" + key, bytes(pieces)));
            writer.metadata().forEach((file, bytes) -> files.put(coordinate.name() + "/" + file, bytes));
        }
        metadata.forEach((file, bytes) -> files.put(name + "/" + file, bytes));
        files.putAll(ZarrWriter.groupMetadata());
        return files;
    }

    private static byte[] bytes(List<Encoded> pieces) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Encoded piece : pieces) {
            piece.writeTo(out);
        }
        return out.toByteArray();
    }
}
