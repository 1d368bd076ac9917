package io.github.broadloom.format;

import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.Serializable;

/** Reads blocks of a stored tensor, on any machine that sees its files. */
public interface BlockReader extends Serializable {
    /** The elements of a box, in memory of their own that may hold more. */
    Tensor read(Box box) throws IOException;

    /**
     * A reader of these rows, by the numbers that they have here: what a task is given, which of thousands of files reads some. Where the tensor has no dimension, of all of
     * it.
     */
    default BlockReader ofRows(long start, long end) {
        return this;
    }

    /** What reading a box costs, as bytes that are read in one go, where its rows whole cost that much: a step over a gap counts for some. */
    default long costBytes(Box box, long ofWholeRows) {
        return ofWholeRows;
    }

    /** The shape of what {@link #read} takes memory for, of a box of that shape. */
    default Shape held(Shape box) {
        return box;
    }

    /** The memory that {@link #read} takes beside that, while it reads a box of that shape. */
    default long readingBytes(Shape box) {
        return 0;
    }
}
