package io.github.broadloom.format;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * An array that files hold.
 *
 * @param key its name in the store; empty where the store is the array
 * @param dtype that its elements have when they are read
 * @param chunk the shape of the pieces in which it lies there, each of which is read whole, and of which the first begins at the first element; of nothing but ones where
 *     any box is read by itself
 * @param dimensions their names, as many as there are dimensions; empty where nobody named them
 * @param attributes what else the file says of it: numbers, texts and lists of these, by name
 * @param encoding how its elements lie there, for people: {@code little-endian, zstd}
 * @param reader reads its boxes
 */
public record StoredArray(
        String key,
        DType dtype,
        Shape shape,
        Shape chunk,
        List<String> dimensions,
        Map<String, Object> attributes,
        String encoding,
        BlockReader reader)
        implements Serializable {

    /** The chunks of an array of which any box is read by itself. */
    public static Shape anyBox(int rank) {
        return Shape.ones(rank);
    }

    /** Whether any box is read by itself. */
    public boolean readsAnyBox() {
        return chunk.equals(anyBox(chunk.rank()));
    }

    /** The key of an array of that name in the same group, or of the path that the name is. */
    public String beside(String name) {
        int slash = key.lastIndexOf('/');
        return slash < 0 || name.contains("/") ? name : key.substring(0, slash + 1) + name;
    }

    /** The same under another shape. */
    public StoredArray with(Shape otherShape, Shape otherChunk, BlockReader other) {
        return new StoredArray(key, dtype, otherShape, otherChunk, List.of(), attributes, encoding, other);
    }
}
