package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.NpyHeader;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * One npy file in a file system whose files grow at their end alone, such as hdfs: or s3a:. The tasks write parts, which
 * the driver then joins.
 */
final class JoinedNpySink implements Sink {
    private final Location target;
    private final WriteMode mode;
    private final NpyHeader header;
    private final PartsSink parts;
    private final Location joined;

    JoinedNpySink(Location target, WriteMode mode, DType dtype, Shape shape) {
        this.target = target;
        this.mode = mode;
        this.header = NpyHeader.of(dtype, shape);
        this.joined = Targets.temporary(target);
        Location folder = Targets.temporary(target);
        this.parts = new PartsSink(folder, WriteMode.CREATE, PartFormat.RAW, header.dataBytes());
    }

    @Override
    public void begin() throws IOException {
        Targets.checkFile(target, mode);
        parts.begin();
    }

    @Override
    public ChunkWriter writer() {
        return parts.writer();
    }

    @Override
    public void commit(int chunks) throws IOException {
        try (OutputStream out = joined.create()) {
            out.write(header.encode());
            for (int i = 0; i < chunks; i++) {
                try (InputStream in =
                        parts.temporary().child(PartFormat.RAW.fileName(i)).open()) {
                    in.transferTo(out);
                }
            }
        }
        Targets.checkFile(target, mode);
        joined.renameTo(target);
        parts.abort();
    }

    @Override
    public void abort() throws IOException {
        parts.abort();
        joined.delete();
    }

    @Override
    public String name() {
        return target.name();
    }
}
