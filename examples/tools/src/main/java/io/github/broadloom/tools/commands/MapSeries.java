package io.github.broadloom.tools.commands;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tools.picture.GrayImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Maps along the leading dimension of an array that is stored: its last two dimensions, at the first index of those between.
 *
 * @param northward whether rows run north, so that the last one is drawn on top
 */
record MapSeries(StoredArray array, boolean northward) {
    /** Of a map no more is read. */
    private static final int MOST_SIDE = 2048;

    boolean isDrawable() {
        return array.shape().rank() >= 3 && array.shape().numel() > 0;
    }

    /** So many indices, or all, evenly. */
    long[] evenly(int most) {
        long size = array.shape().size(0);
        long count = Math.min(most, size);
        return LongStream.range(0, count).map(i -> i * size / count).toArray();
    }

    private Tensor map(long index) throws IOException {
        int rank = array.shape().rank();
        Box box = Box.whole(array.shape()).with(0, index, index + 1);
        for (int d = 1; d < rank; d++) {
            box = box.with(d, 0, Math.min(array.shape().size(d), d < rank - 2 ? 1 : MOST_SIDE));
        }
        Tensor map = array.reader().read(box);
        while (map.rank() > 2) {
            map = map.select(0, 0);
        }
        return map.to(DType.FLOAT64);
    }

    /** Of the finite values of some maps. */
    FiniteRange range(long... indices) throws IOException {
        FiniteRange range = FiniteRange.NONE;
        for (long index : indices) {
            range = range.with(map(index));
        }
        return range;
    }

    List<GrayImage> pictures(long[] indices, FiniteRange scale, int longestSide) throws IOException {
        List<GrayImage> pictures = new ArrayList<>();
        for (long index : indices) {
            Tensor map = map(index);
            pictures.add(GrayImage.reduced(
                    map.shape().size(0),
                    map.shape().size(1),
                    longestSide,
                    (row, column) ->
                            scale.place(map.getDouble(northward ? map.shape().size(0) - 1 - row : row, column))));
        }
        return pictures;
    }
}
