package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.codec.DamagedBytes;
import io.github.broadloom.codec.Shuffling;
import io.github.broadloom.tensor.RawMemory;
import java.nio.ByteBuffer;

/** The shuffle of bytes by itself, a filter of numcodecs and of HDF5. */
record ShuffleCodec(int elementBytes) implements ByteCodec {
    @Override
    public String name() {
        return "shuffle";
    }

    @Override
    public void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        Shuffling.unshuffle(source, target, elementBytes);
    }

    @Override
    public void encode(ByteBuffer source, ByteBuffer target) {
        int bytes = source.remaining();
        Shuffling.shuffle(RawMemory.addressOf(source), RawMemory.addressOf(target), bytes, elementBytes);
        target.position(target.position() + bytes);
    }

    @Override
    public long mostEncoded(long bytes) {
        return bytes;
    }

    @Override
    public long mostDecoded(long bytes) {
        return bytes;
    }

    @Override
    public void describe(ObjectNode configuration, int version) {
        configuration.put("elementsize", elementBytes);
    }
}
