package io.github.broadloom.codec;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;

/** Frames of Zstandard. Buffers are direct; that of the source is left as it is. */
public final class ZstdFrames {
    /** A block of one repeated byte, of which there can be 128 KiB, is its header and that byte. */
    public static final int MOST_OF_ONE = (128 << 10) / 4;

    private ZstdFrames() {}

    /**
     * Decodes all frames; the position of the target is behind what was written afterwards.
     *
     * @throws DamagedBytes where the source is damaged, or holds more than the target takes
     */
    public static void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        try (ZstdDecompressCtx context = new ZstdDecompressCtx()) {
            int bytes = context.decompressDirectByteBuffer(
                    target, target.position(), target.remaining(), source, source.position(), source.remaining());
            target.position(target.position() + bytes);
        } catch (ZstdException e) {
            throw new DamagedBytes("its zstd data is damaged (" + e.getMessage() + ")", e);
        }
    }
}
