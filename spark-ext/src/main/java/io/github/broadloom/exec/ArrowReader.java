package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.plan.Box;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads rows of a tensor that lies in the record batches of one or several Arrow files. */
final class ArrowReader implements BlockReader {
    private static final long serialVersionUID = 1L;

    private final ArrayList<ArrowRows> files;
    private final DType dtype;
    private final Shape shape;

    ArrowReader(List<ArrowRows> files, DType dtype, Shape shape) {
        this.files = new ArrayList<>(files);
        this.dtype = dtype;
        this.shape = shape;
    }

    /** The rows are read whole. */
    @Override
    public Tensor read(Box box) throws IOException {
        if (shape.rank() == 0) {
            return rows(Shape.of(1), 0, 1).squeeze(0);
        }
        Tensor rows = rows(shape.with(0, box.size(0)), box.start(0), box.end(0));
        return box.of(rows, Box.whole(rows.shape()).with(0, box.start(0), box.end(0)));
    }

    @Override
    public Shape held(Shape box) {
        return shape.rank() == 0 ? shape : shape.with(0, box.size(0));
    }

    private Tensor rows(Shape sizes, long start, long end) throws IOException {
        Tensor rows = Tensors.empty(dtype, sizes);
        boolean complete = false;
        try {
            long first = 0;
            for (ArrowRows file : files) {
                long from = Math.max(start, first);
                long to = Math.min(end, first + file.rows());
                if (from < to) {
                    file.read(from - first, to - first, rows.narrow(0, from - start, to - from));
                }
                first += file.rows();
            }
            complete = true;
            return rows;
        } finally {
            if (!complete) {
                rows.storage().release();
            }
        }
    }
}
