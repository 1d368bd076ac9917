package io.github.broadloom.zarr;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.ChunkedArray;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an array is written as: the files of its metadata, and the name and the bytes of each of its chunks or shards, whoever writes them, in any order. */
public final class ZarrWriter implements Serializable {
    private static final long serialVersionUID = 1L;

    private final ZarrMetadata array;
    private final boolean sparse;

    /** @param sparse whether chunks that have the fill value alone are left out */
    ZarrWriter(ZarrMetadata array, boolean sparse) {
        this.array = array;
        this.sparse = sparse;
    }

    /**
     * A writer of an array.
     *
     * @throws IllegalArgumentException where the options and the array do not go together
     */
    public static ZarrWriter of(DType dtype, Shape shape, ZarrOptions options) {
        if (options.version() == 2 && dtype.numpyCode().isEmpty()) {
            throw new IllegalArgumentException(
                    "Cannot write " + dtype + " as Zarr 2: version 3 has it; cast the tensor with to(...) else");
        }
        if (!options.dimensions().isEmpty() && options.dimensions().size() != shape.rank()) {
            throw new IllegalArgumentException("Cannot name the dimensions of shape " + shape + " "
                    + options.dimensions() + ": give " + shape.rank() + " names, or none");
        }
        Fill fill = Fill.of(dtype, options.fillValue());
        // All in one folder, so that whoever writes chunks has no folders to make.
        ChunkNames names = options.version() == 2 ? new ChunkNames("", ".") : new ChunkNames("c", ".");
        return new ZarrWriter(
                new ZarrMetadata(
                        options.version(),
                        dtype,
                        false,
                        shape,
                        codec(dtype, shape, options, fill),
                        fill,
                        names,
                        options.dimensions(),
                        options.attributes()),
                true);
    }

    private static ChunkCodec codec(DType dtype, Shape shape, ZarrOptions options, Fill fill) {
        Shape chunk = options.chunk() == null ? ones(shape) : options.chunk();
        boolean fits = chunk.rank() == shape.rank();
        for (int d = 0; fits && d < shape.rank(); d++) {
            fits = chunk.size(d) > 0;
        }
        if (!fits || chunk.numel() > ChunkCodec.MOST_BYTES / dtype.bytes()) {
            throw new IllegalArgumentException("Cannot cut shape " + shape + " into chunks of " + chunk
                    + ": give a size of 1 or more for each dimension, and less than 2 GiB in all");
        }
        ChunkCodec plain = new PlainChunk(dtype, chunk, false, codecs(options.compression(), dtype.bytes()));
        Shape shard = options.shard();
        if (shard == null) {
            return plain;
        }
        boolean multiple = shard.rank() == chunk.rank();
        for (int d = 0; multiple && d < chunk.rank(); d++) {
            multiple = shard.size(d) > 0 && shard.size(d) % chunk.size(d) == 0;
        }
        if (!multiple) {
            throw new IllegalArgumentException("Cannot cut shards of " + shard + " into chunks of " + chunk
                    + ": each size of a shard is a multiple of the chunk's");
        }
        return new ShardedChunk(shard, plain, new ShardIndex(false, false, true), fill);
    }

    /** One chunk where a tensor has no elements, or nobody chose. */
    private static Shape ones(Shape shape) {
        return Shape.of(
                Arrays.stream(shape.toArray()).map(size -> Math.max(1, size)).toArray());
    }

    private static List<ByteCodec> codecs(ZarrOptions.Compression compression, int typeBytes) {
        return switch (compression) {
            case NONE -> List.of();
            case ZSTD -> List.of(new ZstdCodec(ZarrOptions.ZSTD_LEVEL, false));
            case LZ4 -> List.of(new Lz4Codec(1));
            case GZIP -> List.of(new DeflateCodec(DeflateCodec.Frame.GZIP, 5));
            case ZLIB -> List.of(new DeflateCodec(DeflateCodec.Frame.ZLIB, 5));
            case BLOSC_LZ4 -> List.of(new BloscCodec(BloscCodec.Compressor.LZ4, ZarrOptions.BLOSC_LEVEL, typeBytes));
            case BLOSC_ZSTD -> List.of(new BloscCodec(BloscCodec.Compressor.ZSTD, ZarrOptions.BLOSC_LEVEL, typeBytes));
        };
    }

    public DType dtype() {
        return array.dtype();
    }

    public Shape shape() {
        return array.shape();
    }

    /** The shape of what one file holds: a shard's, or a chunk's. */
    public Shape filed() {
        return array.codec().shape();
    }

    /** The names and contents of the files of metadata, below the array's folder; they are written last. */
    public Map<String, byte[]> metadata() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        if (array.version() == 3) {
            files.put(ZarrV3.FILE, bytes(ZarrV3.write(array)));
            return files;
        }
        files.put(ZarrV2.ATTRIBUTES, bytes(ZarrV2.writeAttributes(array)));
        files.put(ZarrV2.FILE, bytes(ZarrV2.write(array)));
        return files;
    }

    /** The files of a group of version 3, in which arrays have their folders; they are written last. */
    public static Map<String, byte[]> groupMetadata() {
        ObjectNode json = Document.MAPPER.createObjectNode();
        json.put("zarr_format", 3);
        json.put("node_type", "group");
        json.putObject("attributes");
        return Map.of(ZarrV3.FILE, bytes(json));
    }

    private static byte[] bytes(ObjectNode json) {
        try {
            return Document.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Cannot write attributes: " + e.getOriginalMessage(), e);
        }
    }

    /** The name of the file of the chunk or shard at that place in their grid, below the array's folder. */
    public String key(long[] index) {
        return array.names().of(index);
    }

    /** Takes the files of chunks, in whatever way files are written where they belong. */
    @FunctionalInterface
    public interface Output {
        /**
         * Writes a file.
         *
         * @param key its name below the array's folder
         * @param pieces its bytes, in order; they are freed afterwards
         */
        void write(String key, List<Encoded> pieces) throws IOException;
    }

    /**
     * Writes the files of a block; those that would have the fill value alone are left out.
     *
     * @param block of the array, of whole files
     * @param starts where its first element is
     * @throws IllegalArgumentException where it has parts of files
     */
    public void write(Tensor block, long[] starts, Output output) throws IOException {
        Box all = Box.at(starts, block.shape());
        for (int d = 0; d < all.rank(); d++) {
            long size = filed().size(d);
            if (all.start(d) % size != 0 || all.end(d) % size != 0 && all.end(d) != shape().size(d)) {
                throw new IllegalArgumentException(
                        "Cannot write block " + all + ": files hold blocks of " + filed() + " of " + shape());
            }
        }
        ChunkedArray.forEachChunk(all, filed(), (index, whole, part) -> {
            List<Encoded> pieces = encode(part.of(block, all));
            try {
                if (!pieces.isEmpty()) {
                    output.write(key(index), pieces);
                }
            } finally {
                pieces.forEach(Encoded::close);
            }
        });
    }

    /**
     * The bytes of a chunk's or shard's file, one piece after the other.
     *
     * @param elements of its shape, or at the ends of the array those that there are
     * @return to be closed; none where all elements have the fill value, and no file belongs there
     */
    public List<Encoded> encode(Tensor elements) {
        Shape filed = filed();
        if (elements.shape().equals(filed)) {
            return encodeWhole(elements);
        }
        Tensor padded = Tensors.empty(dtype(), filed);
        try {
            array.fill().into(padded);
            Box.whole(elements.shape()).of(padded).copy_(elements);
            return encodeWhole(padded);
        } finally {
            padded.release();
        }
    }

    private List<Encoded> encodeWhole(Tensor elements) {
        Tensor packed = elements.contiguous();
        try {
            return sparse && array.fill().isAllOf(packed)
                    ? List.of()
                    : array.codec().encode(packed);
        } finally {
            packed.releaseCopyOf(elements);
        }
    }
}
