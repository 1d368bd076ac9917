package io.github.broadloom.codec;

import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;

/** Blocks of LZ4 without a frame. Buffers are direct; that of the source is left as it is. */
public final class Lz4Blocks {
    /** A byte more makes a match longer by 255. */
    public static final int MOST_OF_ONE = 255;

    private Lz4Blocks() {}

    /** The library's fastest way of reading is one without checks of what it reads. */
    private static final class Checked {
        static final LZ4Factory FACTORY = factory();

        private static LZ4Factory factory() {
            try {
                return LZ4Factory.nativeInstance();
            } catch (LinkageError e) {
                return LZ4Factory.safeInstance();
            }
        }
    }

    /**
     * Decodes one block; the position of the target is behind what was written afterwards.
     *
     * @throws DamagedBytes where the source is damaged, or holds more than the target takes
     */
    public static void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        try {
            int bytes = Checked.FACTORY
                    .safeDecompressor()
                    .decompress(
                            source,
                            source.position(),
                            source.remaining(),
                            target,
                            target.position(),
                            target.remaining());
            target.position(target.position() + bytes);
        } catch (LZ4Exception e) {
            throw new DamagedBytes("its lz4 data is damaged (" + e.getMessage() + ")", e);
        }
    }

    /** Encodes one block; returns whether the target had room for it. */
    public static boolean encode(ByteBuffer source, ByteBuffer target) {
        try {
            int bytes = Checked.FACTORY
                    .fastCompressor()
                    .compress(
                            source,
                            source.position(),
                            source.remaining(),
                            target,
                            target.position(),
                            target.remaining());
            target.position(target.position() + bytes);
            return true;
        } catch (LZ4Exception e) {
            return false;
        }
    }
}
