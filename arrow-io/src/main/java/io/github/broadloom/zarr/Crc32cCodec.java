package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.codec.DamagedBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** A CRC-32C behind the bytes. */
record Crc32cCodec() implements ByteCodec {
    static final int BYTES = 4;

    @Override
    public String name() {
        return "crc32c";
    }

    /** The bytes before the checksum, where it is theirs. */
    static ByteBuffer checked(ByteBuffer source) throws DamagedBytes {
        int bytes = source.remaining() - BYTES;
        if (bytes < 0) {
            throw new DamagedBytes("it ends before its checksum");
        }
        ByteBuffer payload = source.slice(source.position(), bytes);
        int stored = source.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(source.position() + bytes);
        if (stored != of(payload)) {
            throw new DamagedBytes("its bytes are not those of its CRC-32C; the file is damaged");
        }
        return payload;
    }

    static int of(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    @Override
    public void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        ByteBuffer payload = checked(source);
        if (payload.remaining() > target.remaining()) {
            throw new DamagedBytes("it has " + payload.remaining() + " bytes before its checksum where "
                    + target.remaining() + " belong");
        }
        target.put(payload);
    }

    @Override
    public void encode(ByteBuffer source, ByteBuffer target) {
        target.put(source.duplicate());
        target.order(ByteOrder.LITTLE_ENDIAN).putInt(of(source));
    }

    @Override
    public long mostEncoded(long bytes) {
        return bytes + BYTES;
    }

    @Override
    public long mostDecoded(long bytes) {
        return bytes;
    }

    @Override
    public void describe(ObjectNode configuration, int version) {
        // it has no settings
    }
}
