package io.github.broadloom.pictures;

import io.github.broadloom.format.BlockReader;
import io.github.broadloom.format.ChunkedArray;
import io.github.broadloom.format.Store;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.LongStream;

/** Equal pictures, one behind the other along a first dimension, or one without that dimension; each is decoded whole. */
final class PictureArray extends ChunkedArray {
    private static final long serialVersionUID = 1L;

    private final Store store;
    private final String[] keys;
    /** The number of the first of these keys. */
    private final long first;

    private final long[] picture;

    /** @param picture the header that all of them have */
    private PictureArray(Store store, String[] keys, long first, Picture picture, Shape shape, Shape chunk) {
        super(picture.dtype(), shape, chunk);
        this.store = store;
        this.keys = keys;
        this.first = first;
        this.picture = picture.shape().toArray();
    }

    static PictureArray one(Store store, Picture picture) {
        return new PictureArray(store, new String[] {""}, 0, picture, picture.shape(), picture.shape());
    }

    static PictureArray folder(Store store, String[] keys, Picture picture) {
        return new PictureArray(store, keys, 0, picture, behind(keys.length, picture), behind(1, picture));
    }

    private static Shape behind(long count, Picture picture) {
        return Shape.of(LongStream.concat(
                        LongStream.of(count), Arrays.stream(picture.shape().toArray()))
                .toArray());
    }

    private Picture picture() {
        return new Picture(Shape.of(picture), dtype());
    }

    @Override
    public BlockReader ofRows(long start, long end) {
        if (shape().rank() == picture.length) {
            return this;
        }
        String[] some = Arrays.copyOfRange(keys, (int) (start - first), (int) (end - first));
        return new PictureArray(store, some, start, picture(), shape(), chunk());
    }

    @Override
    protected Tensor readChunk(long[] index) throws IOException {
        boolean behind = shape().rank() > picture.length;
        Tensor pixels = picture().read(store, keys[behind ? (int) (index[0] - first) : 0]);
        return behind ? pixels.unsqueeze(0) : pixels;
    }

    /** The picture that JDK decodes, and a row of it. */
    @Override
    protected long chunkOverheadBytes() {
        return 2 * super.chunkOverheadBytes();
    }
}
