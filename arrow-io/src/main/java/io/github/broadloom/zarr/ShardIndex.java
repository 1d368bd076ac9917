package io.github.broadloom.zarr;

import io.github.broadloom.codec.DamagedBytes;
import io.github.broadloom.tensor.Storage;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The index of a shard: for each inner chunk, in row-major order, where it begins and how many bytes it has.
 *
 * @param atStart whether it lies before the chunks, and not behind them
 * @param checksum whether a CRC-32C follows it
 */
record ShardIndex(boolean atStart, boolean bigEndian, boolean checksum) implements Serializable {
    /** Both numbers of an inner chunk that is not there. */
    static final long MISSING = -1;

    ByteOrder order() {
        return bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    long bytes(long chunks) {
        return chunks * 2 * Long.BYTES + (checksum ? Crc32cCodec.BYTES : 0);
    }

    /** @return its numbers, to release */
    Storage read(ChunkRange shard, long chunks) throws IOException {
        long bytes = bytes(chunks);
        if (bytes > shard.length()) {
            throw shard.damaged("it has " + shard.length() + " bytes, and the index of its shard alone has " + bytes);
        }
        ChunkRange place = shard.part(atStart ? 0 : shard.length() - bytes, bytes);
        Storage read = Storage.allocate(bytes);
        try {
            ByteBuffer index = place.read(read);
            if (checksum) {
                Crc32cCodec.checked(index);
            }
            return read;
        } catch (DamagedBytes e) {
            read.release();
            throw shard.damaged(e);
        } catch (IOException | RuntimeException | Error e) {
            read.release();
            throw e;
        }
    }

    Encoded encode(long[] entries) {
        Storage target = Storage.allocate(bytes(entries.length / 2));
        int bytes = entries.length * Long.BYTES;
        ByteBuffer numbers = target.view(0, (int) target.sizeBytes());
        numbers.order(order()).asLongBuffer().put(entries);
        if (checksum) {
            ByteBuffer plain = numbers.slice(0, bytes);
            numbers.position(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(Crc32cCodec.of(plain));
        }
        return new Encoded(target, (int) target.sizeBytes());
    }
}
