package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.NpyHeader;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/**
 * One npy file in a file system whose files grow at their end alone, such as hdfs: or s3a:. The tasks write parts, which
 * the driver then joins.
 */
final class JoinedNpySink extends JoinedSink {
    private final NpyHeader header;

    JoinedNpySink(Location target, WriteMode mode, DType dtype, Shape shape) {
        this(target, mode, NpyHeader.of(dtype, shape));
    }

    private JoinedNpySink(Location target, WriteMode mode, NpyHeader header) {
        super(target, mode, PartFormat.RAW, header.dataBytes());
        this.header = header;
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
