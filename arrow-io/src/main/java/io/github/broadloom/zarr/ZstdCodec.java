package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;

/** Zstandard frames. */
record ZstdCodec(int level, boolean checksum) implements ByteCodec {
    /** 128 KiB in four bytes. */
    static final long MOST_DECODED = (128 << 10) / 4;

    @Override
    public String name() {
        return "zstd";
    }

    @Override
    public void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        try (ZstdDecompressCtx context = new ZstdDecompressCtx()) {
            int bytes = context.decompressDirectByteBuffer(
                    target, target.position(), target.remaining(), source, source.position(), source.remaining());
            target.position(target.position() + bytes);
        } catch (ZstdException e) {
            throw new DamagedBytes("its zstd data is damaged (" + e.getMessage() + ")", e);
        }
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

    /** A block of one repeated byte is its header and that byte. */
    @Override
    public long mostDecoded(long bytes) {
        return bytes * MOST_DECODED;
    }

    @Override
    public void describe(ObjectNode configuration, int version) {
        configuration.put("level", level);
        if (version > 2 || checksum) {
            configuration.put("checksum", checksum);
        }
    }
}
