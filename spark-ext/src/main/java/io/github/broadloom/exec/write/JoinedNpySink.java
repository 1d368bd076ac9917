package io.github.broadloom.exec.write;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.io.NpyHeader;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/**
 * One npy file in a file system whose files grow at their end alone, such as hdfs: or s3a:. The tasks write parts, which
 * the driver then joins, without copying them where the file system can.
 */
final class JoinedNpySink extends JoinedSink {
    private static final String HEADER = "_header";

    private final NpyHeader header;

    JoinedNpySink(Location target, WriteMode mode, DType dtype, Shape shape) {
        this(target, mode, NpyHeader.of(dtype, shape));
    }

    private JoinedNpySink(Location target, WriteMode mode, NpyHeader header) {
        super(target, mode, PartFormat.RAW, header.dataBytes());
        this.header = header;
    }

    /** Where files can be put behind each other without copying them, no byte passes through the driver, nor through storage for a second time. */
    @Override
    Location whole(Location folder, List<Part> written) throws IOException {
        Location first = folder.child(HEADER);
        if (!first.appends()) {
            return super.whole(folder, written);
        }
        try (OutputStream out = first.create()) {
            out.write(header.encode());
        }
        List<Location> rest = written.stream()
                .filter(part -> part.bytes() > 0)
                .map(part -> folder.child(part.name()))
                .toList();
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
        header.checkFileLength(first.length(), name());
        return first;
    }

    @Override
    void join(List<Location> parts, OutputStream out) throws IOException {
        out.write(header.encode());
        for (Location part : parts) {
            try (InputStream in = part.open()) {
                in.transferTo(out);
            }
        }
    }
}
