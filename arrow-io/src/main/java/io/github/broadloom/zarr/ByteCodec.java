package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.codec.DamagedBytes;
import java.io.Serializable;
import java.nio.ByteBuffer;

/** A codec that makes other bytes of bytes: a compressor, a checksum, a shuffle. Buffers are direct ones; those that are read are left as they are. */
interface ByteCodec extends Serializable {
    /** Its name in Zarr's metadata, for people as well. */
    String name();

    /**
     * Decodes all of the source, and leaves the position of the target behind what it wrote.
     *
     * @throws DamagedBytes where the source is damaged, or holds more than the target takes
     */
    void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes;

    /** Encodes all of the source, and leaves the position of the target, which takes {@link #mostEncoded}, behind what it wrote. */
    void encode(ByteBuffer source, ByteBuffer target);

    /** The most bytes that become of so many. */
    long mostEncoded(long bytes);

    /** The most bytes that so many are decoded to: what metadata claims beyond that is not even given memory. */
    long mostDecoded(long bytes);

    /** Adds what Zarr's metadata says of it, in version 3 to its {@code configuration}, in version 2 beside its {@code id}. */
    void describe(ObjectNode configuration, int version);
}
