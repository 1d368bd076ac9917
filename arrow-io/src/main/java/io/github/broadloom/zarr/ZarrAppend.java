package io.github.broadloom.zarr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.Keys;
import io.github.broadloom.format.Store;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An array of a store that grows along a dimension, as xarray's {@code append_dim} lets it. Files are written whole: where the last chunks or shards along it are not full,
 * the elements in them are written again before the new ones, so that each file that is replaced still holds what it held: whoever has the metadata from before finds the
 * array from before.
 */
public final class ZarrAppend {
    private final String key;
    private final String file;
    private final byte[] before;
    private final byte[] after;
    private final ZarrWriter writer;
    private final int dim;
    private final long stored;

    private ZarrAppend(String key, String file, byte[] before, byte[] after, ZarrWriter writer, int dim, long stored) {
        this.key = key;
        this.file = file;
        this.before = before;
        this.after = after;
        this.writer = writer;
        this.dim = dim;
        this.stored = stored;
    }

    /**
     * Reads and checks the metadata.
     *
     * @param key of the array; empty where the store is it
     * @param dim along which it grows; negative ones count from the end
     * @throws TensorFormatException as {@link ZarrFormat#open}, and where the store's elements are of no dtype that is written
     * @throws IllegalArgumentException where the dtype or another size differs
     * @throws IndexOutOfBoundsException with PyTorch's text, where there is no such dimension
     */
    public static ZarrAppend of(Store store, String key, int dim, DType dtype, Shape appended) throws IOException {
        int version = ZarrFiles.metadata(store, Keys.checked(key, store.name())).version();
        String file = ZarrFiles.child(key, version == 3 ? ZarrV3.FILE : ZarrV2.FILE);
        String name = store.name(file);
        byte[] before = Document.bytes(store, file)
                .orElseThrow(() -> TensorFormatException.cannotRead(
                        name, "it is not there, and the consolidated copy alone is no metadata to append to"));
        ZarrMetadata array = parsed(name, version, before);
        if (array.unsigned()) {
            throw new TensorFormatException("Cannot append to " + store.name(key) + ": its elements are u"
                    + array.dtype() + ", which are read, not written");
        }
        Shape shape = array.shape();
        if (shape.rank() == 0) {
            throw new IllegalArgumentException("Cannot append to " + store.name(key) + ": it has no dimension");
        }
        int along = shape.normalizeDim(dim);
        boolean continues = dtype == array.dtype() && appended.rank() == shape.rank();
        if (!continues || !appended.without(along).equals(shape.without(along))) {
            throw new IllegalArgumentException("Cannot append " + dtype + " " + appended + " to " + store.name(key)
                    + " along dimension " + along + ": it is " + array.dtype() + " " + shape
                    + "; the dtype and all other sizes have to be the same");
        }
        long[] sizes = shape.toArray();
        sizes[along] = Math.addExact(sizes[along], appended.size(along));
        Optional<byte[]> after = Document.replaced(before, List.of("shape"), Arrays.toString(sizes));
        ZarrMetadata grown = parsed(name, version, after.orElse(before));
        if (!grown.shape().equals(Shape.of(sizes))) {
            throw TensorFormatException.cannotRead(name, "it tells its shape more than once");
        }
        // What is no fill value is nothing that others could find where there is no chunk.
        boolean sparse = Document.of(name, before).has("fill_value");
        return new ZarrAppend(
                key, file, before, after.orElse(before), new ZarrWriter(grown, sparse), along, shape.size(along));
    }

    private static ZarrMetadata parsed(String name, int version, byte[] json) throws IOException {
        Document document = Document.of(name, json);
        return version == 3
                ? ZarrV3.read(document)
                : ZarrV2.read(document, new Document(name, Document.MAPPER.createObjectNode()));
    }

    /** Writes chunks of the grown array. */
    public ZarrWriter writer() {
        return writer;
    }

    /** The dimension along which it grows. */
    public int dim() {
        return dim;
    }

    /** How many indices of that dimension, the last that are stored, lie in files that are not full, and are written again. */
    public long again() {
        return stored % writer.filed().size(dim);
    }

    /** What is written: of the grown array all from the first file on that is new, or written again. */
    public Box written() {
        return Box.whole(writer.shape())
                .with(dim, stored - again(), writer.shape().size(dim));
    }

    /** Whether elements that were there before lie in a box. */
    public boolean holdsStored(Box box) {
        return box.start(dim) < stored;
    }

    /** The file of the metadata, by its key in the store. */
    public String file() {
        return file;
    }

    /** What that file holds when the array has grown. */
    public byte[] metadata() {
        return after;
    }

    /** Whether the metadata is what it was when this began. */
    public boolean isUnchanged(Store store) throws IOException {
        return Arrays.equals(Document.bytes(store, file).orElse(new byte[0]), before);
    }

    /** The consolidated copies of the metadata that groups have, with the new shape, by the keys of their files; nearer ones first. */
    public Map<String, byte[]> copies(Store store) throws IOException {
        Map<String, byte[]> copies = new LinkedHashMap<>();
        boolean v2 = file.endsWith(ZarrV2.FILE);
        String shape = Arrays.toString(writer.shape().toArray());
        List<String> parts = key.isEmpty() ? List.of() : List.of(key.split("/"));
        for (int depth = parts.size(); depth >= 0; depth--) {
            String group = String.join("/", parts.subList(0, depth));
            String inside = String.join("/", parts.subList(depth, parts.size()));
            String holder = ZarrFiles.child(group, v2 ? ZarrV2.CONSOLIDATED : ZarrV3.FILE);
            List<String> path = v2
                    ? List.of("metadata", ZarrFiles.child(inside, ZarrV2.FILE), "shape")
                    : List.of("consolidated_metadata", "metadata", inside, "shape");
            Optional<byte[]> json = Document.bytes(store, holder);
            if (json.isPresent()) {
                Document.replaced(json.get(), path, shape).ifPresent(copy -> copies.put(holder, copy));
            }
        }
        return copies;
    }
}
