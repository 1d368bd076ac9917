package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdException;
import io.github.broadloom.codec.DamagedBytes;
import io.github.broadloom.codec.Deflated;
import io.github.broadloom.codec.Lz4Blocks;
import io.github.broadloom.codec.Shuffling;
import io.github.broadloom.codec.ZstdFrames;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Containers of Blosc 1: blocks that are shuffled, then compressed. All of its compressors but snappy are read, whatever the metadata says, because the container says it,
 * too; shuffled bytes and lz4 or zstd are written.
 */
record BloscCodec(Compressor compressor, int level, int typeBytes) implements ByteCodec {
    /** Each with its number in a container's flags. */
    enum Compressor {
        LZ4(1),
        ZSTD(4);

        private final int number;

        Compressor(int number) {
            this.number = number;
        }

        String text() {
            return this == LZ4 ? "lz4" : "zstd";
        }
    }

    /** What fits the second cache of a processor. */
    private static final int BLOCK_BYTES = 256 << 10;

    @Override
    public String name() {
        return "blosc";
    }

    @Override
    public void decode(ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        BloscHeader header = BloscHeader.read(source, target.remaining());
        if (header.isStored()) {
            target.put(source.slice(source.position() + BloscHeader.BYTES, header.bytes()));
            return;
        }
        if (header.blocks() > (source.remaining() - BloscHeader.BYTES) / Integer.BYTES) {
            throw new DamagedBytes("its blosc container ends inside the list of its blocks");
        }
        boolean shuffled = header.isShuffled() || header.isBitShuffled();
        Storage work = Storage.allocate(shuffled ? 2L * header.blockBytes() : 0);
        try {
            ByteBuffer bytes = source.slice().order(ByteOrder.LITTLE_ENDIAN);
            for (int block = 0; block < header.blocks(); block++) {
                int blockBytes = header.blockBytes(block);
                ByteBuffer decoded = target.slice(target.position(), blockBytes);
                if (shuffled) {
                    decodeBlock(header, block, bytes, work.view(0, blockBytes));
                    unshuffle(header, work.address(), RawMemory.addressOf(decoded), blockBytes);
                } else {
                    decodeBlock(header, block, bytes, decoded);
                }
                target.position(target.position() + blockBytes);
            }
        } finally {
            work.release();
        }
    }

    /** Behind what is at {@code from}, there is as much memory to work in. */
    private static void unshuffle(BloscHeader header, long from, long to, int bytes) {
        if (header.isShuffled()) {
            Shuffling.unshuffle(from, to, bytes, header.typeBytes());
        } else {
            Shuffling.bitUnshuffle(from, from + header.blockBytes(), to, bytes, header.typeBytes());
        }
    }

    private static void decodeBlock(BloscHeader header, int block, ByteBuffer bytes, ByteBuffer target)
            throws DamagedBytes {
        int splits = header.splits(block);
        int splitBytes = target.remaining() / splits;
        int position = bytes.getInt(BloscHeader.BYTES + block * Integer.BYTES);
        for (int split = 0; split < splits; split++) {
            int start = target.position();
            if (position < 0 || position > bytes.limit() - Integer.BYTES) {
                throw new DamagedBytes("a block of its blosc container begins outside of it");
            }
            int length = bytes.getInt(position);
            position += Integer.BYTES;
            if (length < 0 || length > bytes.limit() - position) {
                throw new DamagedBytes("a block of its blosc container ends outside of it");
            }
            ByteBuffer piece = bytes.slice(position, length);
            if (length == splitBytes) {
                target.put(piece);
            } else {
                ByteBuffer room = target.slice(start, splitBytes);
                decompress(header.compressor(), piece, room);
                target.position(start + room.position());
            }
            if (target.position() - start != splitBytes) {
                throw new DamagedBytes("a block of its blosc container is too short");
            }
            position += length;
        }
        if (target.hasRemaining()) {
            throw new DamagedBytes("a block of its blosc container is too short");
        }
    }

    private static void decompress(int compressor, ByteBuffer source, ByteBuffer target) throws DamagedBytes {
        switch (compressor) {
            case 0 ->
                target.position((int) BloscLz.decode(
                        RawMemory.addressOf(source),
                        source.remaining(),
                        RawMemory.addressOf(target),
                        target.remaining()));
            case 1 -> Lz4Blocks.decode(source, target);
            case 3 -> Deflated.decodeZlib(source, target);
            case 4 -> ZstdFrames.decode(source, target);
            default ->
                throw new DamagedBytes("its blosc container is compressed with "
                        + (compressor == 2 ? "snappy" : "the unknown compressor " + compressor)
                        + "; blosclz, lz4, lz4hc, zlib and zstd are read");
        }
    }

    @Override
    public void encode(ByteBuffer source, ByteBuffer target) {
        int bytes = source.remaining();
        int start = target.position();
        int blockBytes = Math.max(1, Math.min(bytes, BLOCK_BYTES / typeBytes * typeBytes));
        int flags = BloscHeader.NOT_SPLIT | BloscHeader.SHUFFLED | compressor.number << 5;
        BloscHeader header = new BloscHeader(flags, typeBytes, bytes, blockBytes, 0);
        target.order(ByteOrder.LITTLE_ENDIAN).position(start + BloscHeader.BYTES + header.blocks() * Integer.BYTES);
        Storage work = Storage.allocate(blockBytes);
        try {
            for (int block = 0; block < header.blocks() && target.position() - start < bytes; block++) {
                target.putInt(start + BloscHeader.BYTES + block * Integer.BYTES, target.position() - start);
                ByteBuffer plain = source.slice(source.position() + block * blockBytes, header.blockBytes(block));
                encodeBlock(header, plain, work, target);
            }
        } finally {
            work.release();
        }
        if (target.position() - start >= bytes) { // it does not compress
            flags |= BloscHeader.STORED;
            target.position(start + BloscHeader.BYTES).put(source.duplicate());
        }
        int end = target.position();
        target.position(start);
        new BloscHeader(flags, typeBytes, bytes, blockBytes, end - start).write(target);
        target.position(end);
    }

    /** Behind its length; a block that does not compress is stored as it is. */
    private void encodeBlock(BloscHeader header, ByteBuffer plain, Storage work, ByteBuffer target) {
        int bytes = plain.remaining();
        ByteBuffer shuffled = plain;
        if (header.isShuffled()) {
            shuffled = work.view(0, bytes);
            Shuffling.shuffle(RawMemory.addressOf(plain), work.address(), bytes, typeBytes);
        }
        ByteBuffer room = target.slice(target.position() + Integer.BYTES, bytes - 1);
        boolean fits = bytes > 1 && compress(shuffled, room);
        int length = fits ? room.position() : bytes;
        target.putInt(length);
        if (fits) {
            target.position(target.position() + length);
        } else {
            target.put(shuffled.duplicate());
        }
    }

    private boolean compress(ByteBuffer source, ByteBuffer target) {
        if (compressor == Compressor.LZ4) {
            return Lz4Blocks.encode(source, target);
        }
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            context.setLevel(zstdLevel());
            int bytes = context.compressDirectByteBuffer(
                    target, 0, target.remaining(), source, source.position(), source.remaining());
            target.position(bytes);
        } catch (ZstdException e) {
            return false; // it does not fit
        }
        return true;
    }

    /** As Blosc has it: nine levels for zstd's twenty-two. */
    private int zstdLevel() {
        return level < 9 ? level * 2 - 1 : Zstd.maxCompressionLevel();
    }

    /** Where every block is stored as it is. */
    @Override
    public long mostEncoded(long bytes) {
        long blocks = bytes / (BLOCK_BYTES / typeBytes * (long) typeBytes) + 1;
        return BloscHeader.BYTES + bytes + blocks * 2 * Integer.BYTES;
    }

    /** That of the strongest of its compressors. */
    @Override
    public long mostDecoded(long bytes) {
        return bytes * ZstdFrames.MOST_OF_ONE;
    }

    @Override
    public void describe(ObjectNode configuration, int version) {
        configuration.put("cname", compressor.text()).put("clevel", level);
        if (version == 2) {
            configuration.put("shuffle", 1);
        } else {
            configuration.put("shuffle", "shuffle").put("typesize", typeBytes);
        }
        configuration.put("blocksize", 0);
    }
}
