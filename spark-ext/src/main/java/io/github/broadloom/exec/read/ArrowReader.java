package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.plan.Box;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Reads rows of a tensor that lies in the record batches, or in whole parts, of one or several Arrow files. */
record ArrowReader(ArrowRows[] files, FileRows bounds, DType dtype, Shape shape) implements BlockReader {

    ArrowReader(List<ArrowRows> files, DType dtype, Shape shape) {
        this(
                files.toArray(ArrowRows[]::new),
                FileRows.of(files.stream().mapToLong(ArrowRows::rows).toArray()),
                dtype,
                shape);
    }

    @Override
    public BlockReader ofRows(long start, long end) {
        int first = bounds.first(start);
        int last = bounds.end(first, end);
        return new ArrowReader(Arrays.copyOfRange(files, first, last), bounds.range(first, last), dtype, shape);
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
        return TensorBytes.filled(Tensors.empty(dtype, sizes), rows -> read(start, end, rows));
    }

    void read(long start, long end, Tensor rows) throws IOException {
        int first = bounds.first(start);
        for (int i = first; i < bounds.end(first, end); i++) {
            long before = bounds.bounds()[i];
            long from = Math.max(start, before);
            long to = Math.min(end, bounds.bounds()[i + 1]);
            if (from < to) {
                files[i].read(from - before, to - before, rows.narrow(0, from - start, to - from));
            }
        }
    }
}
