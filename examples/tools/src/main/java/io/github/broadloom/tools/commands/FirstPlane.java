package io.github.broadloom.tools.commands;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tools.picture.GrayImage;
import java.io.IOException;
import java.util.Arrays;

/**
 * The first plane of an array, for people: its last two dimensions, or of a picture with colours the two before them; of a large one its first corner.
 *
 * @param values {@code [rows, columns]} of any dtype
 * @param finite of its values
 */
record FirstPlane(StoredArray array, Tensor values, FiniteRange finite) {
    private static final int MOST_SIDE = 4096;
    private static final int COLOURS = 3;

    static boolean isDrawable(StoredArray array) {
        return array.shape().rank() >= 2 && array.shape().numel() > 0;
    }

    static FirstPlane read(StoredArray array) throws IOException {
        int colourDims = isColoured(array) ? 1 : 0;
        int rank = array.shape().rank();
        Box box = Box.whole(array.shape());
        for (int d = 0; d < rank - colourDims; d++) {
            boolean ofPlane = d >= rank - colourDims - 2;
            box = box.with(d, 0, Math.min(array.shape().size(d), ofPlane ? MOST_SIDE : 1));
        }
        Tensor plane = array.reader().read(box);
        for (int d = 0; d < rank - colourDims - 2; d++) {
            plane = plane.select(0, 0);
        }
        Tensor values = (colourDims == 1 ? plane.select(2, 1) : plane)
                .to(DType.FLOAT64); // of colours green is nearest to brightness
        return new FirstPlane(array, values, FiniteRange.NONE.with(values));
    }

    private static boolean isColoured(StoredArray array) {
        int rank = array.shape().rank();
        return rank >= COLOURS
                && array.dtype() == DType.UINT8
                && (array.shape().size(rank - 1) == COLOURS || array.shape().size(rank - 1) == COLOURS + 1);
    }

    /** Black is the least finite value, white the greatest. */
    GrayImage picture(int longestSide) {
        Shape shape = values.shape();
        double least = finite.least();
        double range = finite.most() > least ? finite.most() - least : 1;
        return GrayImage.reduced(
                shape.size(0),
                shape.size(1),
                longestSide,
                (row, column) -> (values.getDouble(row, column) - least) / range);
    }

    String range() {
        return finite.isEmpty() ? finite.toString() : (float) finite.least() + " to " + (float) finite.most();
    }

    String described() {
        int planes = array.shape().rank() - 2 - (isColoured(array) ? 1 : 0);
        String where = planes <= 0 ? "" : "[" + "0, ".repeat(planes) + "…] of ";
        boolean cut =
                Arrays.stream(array.shape().toArray()).skip(Math.max(0, planes)).anyMatch(size -> size > MOST_SIDE);
        return where + array.dtype() + " " + array.shape() + (cut ? ", its first " + values.shape() : "") + ", "
                + range();
    }
}
