package io.github.broadloom.exec;

import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.Serializable;

/** Reads rows of a stored tensor, on any machine that sees its files. */
public interface RowReader extends Serializable {
    /** The rows {@code start <= row < end}, in memory of their own; of a tensor without dimensions, all of it. */
    Tensor read(long start, long end) throws IOException;
}
