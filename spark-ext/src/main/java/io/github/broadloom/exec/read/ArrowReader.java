package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/** Reads rows of a tensor that lies in the record batches, or in whole parts, of one or several Arrow files. */
record ArrowReader(ArrowReader.Rows[] files, FileRows bounds, DType dtype, Shape shape) implements BlockReader {

    ArrowReader(List<Rows> files, DType dtype, Shape shape) {
        this(
                files.toArray(Rows[]::new),
                FileRows.of(files.stream().mapToLong(Rows::rows).toArray()),
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

    /** Some rows of a tensor in an Arrow file: those of a batch, or all of it. */
    interface Rows extends Serializable {
        long rows();

        void read(long start, long end, Tensor target) throws IOException;

        /** Copies what a batch, or what was read of one, has of the rows from {@code start} on. */
        static void copy(Tensor batch, long first, Tensor target, long start) {
            Tensor rows = batch.rank() == 0 ? batch.unsqueeze(0) : batch;
            long from = Math.max(start, first);
            long to = Math.min(
                    start + target.shape().size(0), first + rows.shape().size(0));
            if (from < to) {
                target.narrow(0, from - start, to - from).copy_(rows.narrow(0, from - first, to - from));
            }
        }
    }
}
