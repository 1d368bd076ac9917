package io.github.broadloom.exec.write;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.io.WriteMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * One file in a file system whose files grow at their end alone, such as hdfs: or s3a:. The tasks write parts, which
 * the driver then joins, without copying them where the file system can.
 */
final class JoinedFlatSink extends JoinedSink {
    private static final String HEAD = "_head";
    private static final String PADDING = "_padding";

    private final FlatFile file;

    JoinedFlatSink(Location target, WriteMode mode, FlatFile file) {
        super(target, mode, PartFormat.RAW, file.bytes());
        this.file = file;
    }

    @Override
    public ChunkWriter writer() {
        return InFileOrder.of(file, super.writer());
    }

    /** Where files can be put behind each other without copying them, no byte passes through the driver, nor through storage for a second time. */
    @Override
    Location whole(Location folder, List<Part> written) throws IOException {
        Location first = folder.child(HEAD);
        if (!first.appends()) {
            return super.whole(folder, written);
        }
        put(first, file.head());
        List<Location> rest = new ArrayList<>();
        written.stream().filter(part -> part.bytes() > 0).forEach(part -> rest.add(folder.child(part.name())));
        if (file.padding() > 0) {
            rest.add(folder.child(PADDING));
            put(folder.child(PADDING), new byte[file.padding()]);
        }
        try {
            if (!rest.isEmpty()) {
                first.append(rest);
            }
        } catch (IOException | RuntimeException e) {
            // Files of some kinds cannot be joined, as where hdfs keeps them with erasure codes.
            if (!rest.get(0).exists()) {
                throw e;
            }
            return super.whole(folder, written);
        }
        checkLength(file, first.length(), target);
        return first;
    }

    private static void put(Location location, byte[] bytes) throws IOException {
        try (OutputStream out = location.create()) {
            out.write(bytes);
        }
    }

    /** Before it gets its name. */
    static void checkLength(FlatFile file, long bytes, Location target) throws IOException {
        if (bytes != file.bytes()) {
            throw new IOException("Cannot write " + target + ": of its " + file.bytes() + " bytes " + bytes
                    + " were written; write it again");
        }
    }

    @Override
    void join(List<Location> parts, OutputStream out) throws IOException {
        out.write(file.head());
        for (Location part : parts) {
            try (InputStream in = part.open()) {
                in.transferTo(out);
            }
        }
        out.write(new byte[file.padding()]);
    }
}
