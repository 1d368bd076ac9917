package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.github.broadloom.codec.DamagedBytes;
import io.github.broadloom.codec.ZstdFrames;
import java.nio.ByteBuffer;

/** Zstandard frames. */
record ZstdCodec(int level, boolean checksum) implements ByteCodec {
    @Override
    public String name() {
        return "zstd";
    }

    @Override
    public void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        ZstdFrames.decode(source, target);
    }

    @Override
    public void encode(ByteBuffer source, ByteBuffer target) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            context.setLevel(level).setChecksum(checksum);
            int bytes = context.compressDirectByteBuffer(
                    target, target.position(), target.remaining(), source, source.position(), source.remaining());
            target.position(target.position() + bytes);
        }
    }

    @Override
    public long mostEncoded(long bytes) {
        return Zstd.compressBound(bytes);
    }

    @Override
    public long mostDecoded(long bytes) {
        return bytes * ZstdFrames.MOST_OF_ONE;
    }

    @Override
    public void describe(ObjectNode configuration, int version) {
        configuration.put("level", level);
        if (version > 2 || checksum) {
            configuration.put("checksum", checksum);
        }
    }
}
