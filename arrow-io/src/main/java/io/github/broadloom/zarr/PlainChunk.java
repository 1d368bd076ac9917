package io.github.broadloom.zarr;

import io.github.broadloom.codec.DamagedBytes;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.RawArray;
import io.github.broadloom.io.RawElements;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A chunk whose elements lie row-major, one after the other, and then pass through codecs of bytes.
 *
 * @param codecs in the order in which they encode
 */
record PlainChunk(DType dtype, Shape shape, boolean bigEndian, List<ByteCodec> codecs) implements ChunkCodec {
    private static final long serialVersionUID = 1L;

    @Override
    public Shape piece() {
        return shape;
    }

    private int bytes() {
        return Math.toIntExact(dtype.sizeBytes(shape.numel()));
    }

    private ByteOrder order() {
        return bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    /** The most that a chunk can be encoded to; what is longer is no chunk of this array. */
    private long mostEncoded(int codecCount) {
        long most = bytes();
        for (ByteCodec codec : codecs.subList(0, codecCount)) {
            most = codec.mostEncoded(most);
        }
        return codecCount == 0 ? most : 2 * most + 4096; // other libraries store what does not compress otherwise
    }

    @Override
    public void read(ChunkRange bytes, Box part, Tensor target) throws IOException {
        checkLength(bytes);
        if (codecs.isEmpty() && bytes.held() == null) {
            RawArray raw = new RawArray(bytes.store(), bytes.key(), bytes.start(), dtype, bigEndian, shape);
            raw.read(bytes.in(), part, target);
        } else if (part.shape().equals(shape) && target.isContiguous()) {
            decode(bytes, target.storage(), target.address() - target.storage().address());
        } else {
            Tensor whole = Tensors.empty(dtype, shape);
            try {
                decode(bytes, whole.storage(), 0);
                target.copy_(part.of(whole));
            } finally {
                whole.release();
            }
        }
    }

    /** Before any memory is taken: too many bytes for a chunk, and too few to be decoded to one, are damage. */
    private void checkLength(ChunkRange bytes) throws IOException {
        long decoded = bytes.length();
        boolean fits = decoded <= Math.min(MOST_BYTES, mostEncoded(codecs.size()));
        for (ByteCodec codec : codecs) {
            decoded = Math.min(MOST_BYTES, codec.mostDecoded(decoded));
        }
        if (!fits || decoded < bytes()) {
            throw bytes.damaged("it has " + bytes.length() + " bytes, and a chunk of " + bytes() + " bytes, "
                    + describe() + ", belongs there");
        }
    }

    private void decode(ChunkRange bytes, Storage target, long offset) throws IOException {
        Storage source = Storage.allocate(bytes.length());
        try {
            ByteBuffer encoded = bytes.read(source);
            for (int i = codecs.size() - 1; i > 0; i--) {
                Storage between = Storage.allocate(Math.min(MOST_BYTES, mostEncoded(i)));
                try {
                    ByteBuffer decoded = between.view(0, (int) between.sizeBytes());
                    codecs.get(i).decode(encoded, decoded);
                    encoded = decoded.flip();
                } finally {
                    source.release();
                    source = between;
                }
            }
            ByteBuffer elements = target.view(offset, bytes());
            if (codecs.isEmpty()) {
                elements.put(encoded);
            } else {
                codecs.get(0).decode(encoded, elements);
            }
            if (elements.hasRemaining()) {
                throw new DamagedBytes("it holds " + elements.position() + " bytes where a chunk has " + bytes());
            }
        } catch (DamagedBytes e) {
            throw bytes.damaged(e);
        } finally {
            source.release();
        }
        RawElements.toNative(dtype, order(), target, offset, shape.numel());
    }

    @Override
    public List<Encoded> encode(Tensor chunk) {
        Tensor elements = chunk.contiguous();
        boolean own = elements.storage() != chunk.storage();
        boolean swaps = dtype.bytes() > 1 && order() != ByteOrder.nativeOrder();
        if (!own && (swaps || codecs.isEmpty())) {
            elements = chunk.copy();
            own = true;
        }
        if (swaps) {
            RawMemory.swapBytes(elements.address(), elements.numel(), dtype.bytes());
        }
        Storage source = elements.storage();
        ByteBuffer plain = source.view(elements.address() - source.address(), bytes());
        for (ByteCodec codec : codecs) {
            Storage target = Storage.allocate(codec.mostEncoded(plain.remaining()));
            ByteBuffer encoded = target.view(0, Math.toIntExact(target.sizeBytes()));
            try {
                codec.encode(plain, encoded);
            } catch (RuntimeException | Error e) {
                target.release();
                throw e;
            } finally {
                if (own) {
                    source.release();
                }
            }
            own = true;
            source = target;
            plain = encoded.flip();
        }
        return List.of(new Encoded(source, plain.remaining()));
    }

    @Override
    public String describe() {
        List<String> words = new ArrayList<>();
        if (dtype.bytes() > 1) {
            words.add(bigEndian ? "big-endian" : "little-endian");
        }
        words.add(
                codecs.isEmpty()
                        ? "uncompressed"
                        : codecs.stream().map(ByteCodec::name).collect(Collectors.joining(", ")));
        return String.join(", ", words);
    }
}
