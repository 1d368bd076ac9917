package io.github.broadloom.codec;

import io.github.broadloom.tensor.RawMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/** Deflated data in the frames of zlib (RFC 1950) and gzip (RFC 1952), whose checksums are checked. Buffers are direct; that of the source is left as it is. */
public final class Deflated {
    /** What can come out of a byte: a match of 258 bytes takes two bits. */
    public static final int MOST_OF_ONE = 1032;

    private static final String ZLIB = "zlib";
    private static final String GZIP = "gzip";

    private static final int METHOD = 8;

    private static final int ZLIB_DICTIONARY = 0x20;

    private static final int GZIP_BYTES = 10;
    private static final int GZIP_CHECKSUM = 2;
    private static final int GZIP_EXTRA = 4;
    private static final int GZIP_NAME = 8;
    private static final int GZIP_COMMENT = 16;
    private static final int GZIP_UNKNOWN = 0xe0;

    private Deflated() {}

    /**
     * Decodes one stream; what follows it is not looked at.
     *
     * @param target whose position is behind what was written afterwards
     * @throws DamagedBytes where the source is damaged, or holds more than the target takes
     */
    public static void decodeZlib(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        ByteBuffer in = source.duplicate().order(ByteOrder.BIG_ENDIAN);
        require(ZLIB, in.remaining() >= Short.BYTES);
        int header = in.getShort() & 0xffff;
        if (header % 31 != 0 || (header >>> 8 & 15) != METHOD || (header & ZLIB_DICTIONARY) != 0) {
            throw Inflate.damaged(ZLIB, "its header");
        }
        ByteBuffer decoded = decode(ZLIB, in, target);
        require(ZLIB, in.remaining() >= Integer.BYTES);
        check(ZLIB, new Adler32(), decoded, in.getInt());
    }

    /** Decodes all members of a file, as {@link #decodeZlib} one stream. */
    public static void decodeGzip(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        ByteBuffer in = source.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        do {
            skipGzipHeader(in);
            ByteBuffer decoded = decode(GZIP, in, target);
            require(GZIP, in.remaining() >= 2 * Integer.BYTES);
            int length = decoded.remaining();
            check(GZIP, new CRC32(), decoded, in.getInt());
            if (in.getInt() != length) {
                throw Inflate.damaged(GZIP, "its length");
            }
        } while (in.remaining() > GZIP_BYTES && in.getShort(in.position()) == (short) 0x8b1f);
    }

    private static void skipGzipHeader(ByteBuffer in) throws DamagedBytes {
        require(GZIP, in.remaining() >= GZIP_BYTES);
        int start = in.position();
        int flags = in.get(start + 3);
        if (in.getShort(start) != (short) 0x8b1f || in.get(start + 2) != METHOD || (flags & GZIP_UNKNOWN) != 0) {
            throw Inflate.damaged(GZIP, "its header");
        }
        in.position(start + GZIP_BYTES);
        if ((flags & GZIP_EXTRA) != 0) {
            require(GZIP, in.remaining() >= Short.BYTES);
            skip(in, in.getShort() & 0xffff);
        }
        for (int text : new int[] {GZIP_NAME, GZIP_COMMENT}) {
            boolean isThere = (flags & text) != 0;
            while (isThere) {
                require(GZIP, in.hasRemaining());
                isThere = in.get() != 0;
            }
        }
        skip(in, (flags & GZIP_CHECKSUM) != 0 ? Short.BYTES : 0);
    }

    private static void skip(ByteBuffer in, int bytes) throws DamagedBytes {
        require(GZIP, in.remaining() >= bytes);
        in.position(in.position() + bytes);
    }

    private static void require(String frame, boolean isThere) throws DamagedBytes {
        if (!isThere) {
            throw Inflate.endsEarly(frame);
        }
    }

    /** Reads blocks, to behind the last one; returns what was written. */
    private static ByteBuffer decode(String frame, ByteBuffer in, ByteBuffer target) throws DamagedBytes {
        long source = RawMemory.addressOf(in);
        long start = RawMemory.addressOf(target);
        Inflate inflate = new Inflate(frame, source, in.remaining(), start, target.remaining());
        int bytes;
        try {
            bytes = (int) (inflate.decode() - start);
        } finally {
            Reference.reachabilityFence(in);
            Reference.reachabilityFence(target);
        }
        in.position(in.position() + (int) (inflate.sourcePosition() - source));
        ByteBuffer decoded = target.slice(target.position(), bytes);
        target.position(target.position() + bytes);
        return decoded;
    }

    private static void check(String frame, Checksum checksum, ByteBuffer bytes, int expected) throws DamagedBytes {
        checksum.update(bytes);
        if ((int) checksum.getValue() != expected) {
            throw Inflate.damaged(frame, "its checksum");
        }
    }
}
