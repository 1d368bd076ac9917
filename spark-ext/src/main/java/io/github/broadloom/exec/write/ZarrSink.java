package io.github.broadloom.exec.write;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.Temporaries;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.zarr.Encoded;
import io.github.broadloom.zarr.ZarrWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An array of Zarr: the tasks write chunks or shards whole, and the driver the metadata when all are there; the folder then gets its name. */
final class ZarrSink extends Sink {
    /** What such a folder holds, as others write it, too; folders of chunks have {@code c} or a number as their name. */
    static final Pattern OWN =
            Pattern.compile("zarr\\.json|\\.zarray|\\.zattrs|(c[./])?\\d+(\\.\\d+)*|c|_open|\\..*\\.tmp");

    private final ZarrWriter array;
    private final ChunkGrid grid;
    private final long sizeBytes;
    private final @Nullable ZarrGroup group;
    private final Location whole;
    private final OpenFolder folder;

    /**
     * @param grid the chunks that are written, each of whole files
     * @param group what lies beside the array; null where the array is all
     */
    ZarrSink(
            Location target,
            WriteMode mode,
            ZarrWriter array,
            ChunkGrid grid,
            long sizeBytes,
            @Nullable ZarrGroup group) {
        super(target, mode);
        this.array = array;
        this.grid = grid;
        this.sizeBytes = sizeBytes;
        this.group = group;
        this.whole = Temporaries.of(target);
        this.folder = new OpenFolder(ofArray(whole));
    }

    private Location ofArray(Location store) {
        return group == null ? store : store.child(group.name());
    }

    @Override
    public void begin() throws IOException {
        check();
        Targets.prepare(target, mode, sizeBytes);
        if (group != null) {
            whole.createDirectory();
        }
        folder.create();
    }

    private void check() throws IOException {
        if (group == null) {
            Targets.checkFolder(target, mode, OWN, "an array of Zarr");
        } else {
            group.check(target, mode);
        }
    }

    @Override
    public ChunkWriter writer() {
        return new Writer(folder, array, grid, Box.whole(array.shape()));
    }

    /** The name of a chunk's file in the one folder that tasks fill, whatever folders the array has. */
    static String flat(String key) {
        return key.replace('/', '.');
    }

    /**
     * One task writes several files, which it tells in the receipt of a part.
     *
     * @param written what of the array the grid cuts
     */
    record Writer(OpenFolder folder, ZarrWriter array, ChunkGrid grid, Box written) implements ChunkWriter {
        private static final long serialVersionUID = 1L;

        @Override
        public Part write(Tensor chunk, int index, long firstRow, long attempt) throws IOException {
            StringBuilder told = new StringBuilder();
            long[] bytes = {0};
            long[] starts = grid.box(index).starts();
            Arrays.setAll(starts, d -> written.start(d) + starts[d]);
            array.write(chunk, starts, (key, pieces) -> {
                Part file = folder.put(flat(key), 0, attempt, out -> copy(pieces, out));
                told.append(file.name()).append(' ').append(file.bytes()).append('\n');
                bytes[0] += file.bytes();
            });
            long rows = chunk.rank() == 0 ? 1 : chunk.shape().size(0);
            return new Part("", rows, bytes[0], 0, told.toString().getBytes(StandardCharsets.UTF_8));
        }

        private static void copy(List<Encoded> pieces, OutputStream out) throws IOException {
            for (Encoded piece : pieces) {
                piece.writeTo(out);
            }
        }
    }

    /** The files that tasks have told. */
    static List<Part> files(List<Part> written) {
        List<Part> files = new ArrayList<>();
        for (Part task : written) {
            for (String line :
                    new String(task.receipt(), StandardCharsets.UTF_8).lines().toList()) {
                int space = line.indexOf(' ');
                files.add(new Part(line.substring(0, space), 0, Long.parseLong(line.substring(space + 1)), 0));
            }
        }
        return files;
    }

    @Override
    public void commit(List<Part> written) throws IOException {
        folder.close(files(written), target, name -> !name.startsWith("."));
        Map<String, byte[]> files = group == null ? array.metadata() : group.files(array.metadata());
        boolean atOnce = target.isLocal();
        if (atOnce) {
            describe(whole, files);
        }
        check();
        Targets.publish(whole, target, mode);
        if (!atOnce) {
            describe(target, files);
        }
        Temporaries.over(whole);
        Temporaries.tidy(target, () -> OpenFolder.sweep(ofArray(target)));
    }

    /** Where folders are renamed file by file, only when all of them have their names: without metadata chunks are nothing, and with it missing ones would be the fill value. */
    private static void describe(Location where, Map<String, byte[]> files) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Location described = where.child(file.getKey());
            if (file.getKey().contains("/")) {
                described.folder().createDirectories();
            }
            try (OutputStream out = described.create()) {
                out.write(file.getValue());
            }
        }
    }

    @Override
    public void abort() {
        Temporaries.discard(whole);
    }
}
