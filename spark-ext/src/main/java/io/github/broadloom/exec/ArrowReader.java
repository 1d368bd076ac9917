package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.plan.Box;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;

/** Reads rows of a tensor that lies in the record batches of one or several Arrow files. */
final class ArrowReader implements BlockReader {
    private static final long serialVersionUID = 1L;

    private final ArrowIndex[] files;
    private final DType dtype;
    private final Shape shape;

    ArrowReader(ArrowIndex[] files, DType dtype, Shape shape) {
        this.files = files;
        this.dtype = dtype;
        this.shape = shape;
    }

    /** The rows are read whole. */
    @Override
    public Tensor read(Box box) throws IOException {
        if (shape.rank() == 0) {
            return files[0].read(files[0].batches().get(0));
        }
        Tensor rows = rows(box.start(0), box.end(0));
        return box.of(rows, Box.whole(rows.shape()).with(0, box.start(0), box.end(0)));
    }

    @Override
    public Shape held(Shape box) {
        return shape.rank() == 0 ? shape : shape.with(0, box.size(0));
    }

    private Tensor rows(long start, long end) throws IOException {
        Tensor rows = Tensors.empty(dtype, shape.with(0, end - start));
        boolean complete = false;
        try {
            long first = 0;
            for (ArrowIndex file : files) {
                for (ArrowIndex.Batch batch : file.batches()) {
                    long from = Math.max(start, first);
                    long to = Math.min(end, first + batch.rows());
                    if (from < to) {
                        Tensor read = file.read(batch);
                        Tensor target = rows.narrow(0, from - start, to - from);
                        target.copy_(read.narrow(0, from - first, to - from));
                        read.storage().release();
                    }
                    first += batch.rows();
                }
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
