package io.github.broadloom.exec;

import io.github.broadloom.plan.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.Serializable;

/** Reads rows of a stored tensor, on any machine that sees its files. */
public interface RowReader extends Serializable {
    /** The rows {@code start <= row < end}, in memory of their own; of a tensor without dimensions, all of it. */
    Tensor read(long start, long end) throws IOException;

    /** A box of the tensor: a view of the rows that it lies in, which are read whole. */
    static Tensor read(RowReader reader, Box box) throws IOException {
        if (box.rank() == 0) {
            return reader.read(0, 1);
        }
        Tensor rows = reader.read(box.start(0), box.end(0));
        return box.of(rows, Box.whole(rows.shape()).with(0, box.start(0), box.end(0)));
    }
}
