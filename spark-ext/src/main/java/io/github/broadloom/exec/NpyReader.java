package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.plan.Box;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;

/** Reads blocks of an array that lies in one or several npy files, the rows of one after those of the other. */
final class NpyReader implements BlockReader {
    private static final long serialVersionUID = 1L;

    private final NpyFile[] files;
    private final long[] firstRows;
    private final DType dtype;

    NpyReader(NpyFile[] files) {
        this.files = files;
        this.dtype = files[0].dtype();
        this.firstRows = new long[files.length + 1];
        for (int i = 0; i < files.length; i++) {
            firstRows[i + 1] = firstRows[i] + files[i].rows();
        }
    }

    @Override
    public Tensor read(Box box) throws IOException {
        if (files.length == 1) {
            return files[0].read(box);
        }
        Tensor joined = Tensors.empty(dtype, box.shape());
        boolean complete = false;
        try {
            for (int i = 0; i < files.length; i++) {
                Box part = inFile(box, i);
                if (!part.isEmpty()) {
                    Tensor read = files[i].read(part);
                    joined.narrow(0, firstRows[i] + part.start(0) - box.start(0), part.size(0))
                            .copy_(read);
                    read.release();
                }
            }
            complete = true;
            return joined;
        } finally {
            if (!complete) {
                joined.release();
            }
        }
    }

    /** What of a box lies in a file, in rows of that file. */
    private Box inFile(Box box, int file) {
        long start = Math.max(box.start(0), firstRows[file]);
        long end = Math.max(start, Math.min(box.end(0), firstRows[file + 1]));
        return box.with(0, start - firstRows[file], end - firstRows[file]);
    }

    @Override
    public long costBytes(Box box, long ofWholeRows) {
        long cost = files.length == 1 ? files[0].costBytes(box) : 0;
        for (int i = 0; files.length > 1 && i < files.length; i++) {
            cost += files[i].costBytes(inFile(box, i));
        }
        return cost;
    }

    /** The part of one file, and a range of that. */
    @Override
    public long readingBytes(Shape box) {
        long ranges = 0;
        for (NpyFile file : files) {
            ranges = Math.max(ranges, file.readingBytes(Box.whole(box)));
        }
        return files.length == 1 ? ranges : ranges + box.numel() * dtype.bytes();
    }
}
