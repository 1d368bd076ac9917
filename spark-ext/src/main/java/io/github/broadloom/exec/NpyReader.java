package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;

/** Reads rows of an array that lies in one or several npy files, the rows of one after those of the other. */
final class NpyReader implements RowReader {
    private static final long serialVersionUID = 1L;

    private final NpyFile[] files;
    private final long[] firstRows;
    private final DType dtype;
    private final Shape shape;

    NpyReader(NpyFile[] files, Shape shape) {
        this.files = files;
        this.shape = shape;
        this.dtype = files[0].dtype();
        this.firstRows = new long[files.length + 1];
        for (int i = 0; i < files.length; i++) {
            firstRows[i + 1] = firstRows[i] + files[i].rows();
        }
    }

    @Override
    public Tensor read(long start, long end) throws IOException {
        Shape read = shape.rank() == 0 ? shape : shape.with(0, end - start);
        Storage storage = Storage.allocate(read.numel() * dtype.bytes());
        boolean complete = false;
        try {
            long rowBytes = (shape.rank() == 0 ? 1 : shape.inner().numel()) * dtype.bytes();
            for (int i = 0; i < files.length; i++) {
                long from = Math.max(start, firstRows[i]);
                long to = Math.min(end, firstRows[i + 1]);
                if (from < to) {
                    files[i].read(from - firstRows[i], to - firstRows[i], storage, (from - start) * rowBytes);
                }
            }
            complete = true;
            return Tensor.of(dtype, Layout.contiguous(read), storage);
        } finally {
            if (!complete) {
                storage.release();
            }
        }
    }
}
