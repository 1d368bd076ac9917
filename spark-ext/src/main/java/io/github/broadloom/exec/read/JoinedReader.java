package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads blocks of an array that lies in several files, those of one after those of the other along a dimension.
 *
 * @param dtype of all of them
 * @param rows which indices of that dimension lie in which file
 */
record JoinedReader(DType dtype, int dim, BlockReader[] files, FileRows rows) implements BlockReader {

    @Override
    public BlockReader ofRows(long start, long end) {
        if (dim != 0) {
            return this;
        }
        int first = rows.first(start);
        int last = rows.end(first, end);
        return new JoinedReader(dtype, dim, Arrays.copyOfRange(files, first, last), rows.range(first, last));
    }

    @Override
    public Tensor read(Box box) throws IOException {
        if (box.rank() == 0) {
            return files[0].read(box);
        }
        int first = rows.first(box.start(dim));
        int last = rows.end(first, box.end(dim));
        return last - first == 1 ? files[first].read(inFile(box, first)) : joined(box, first, last);
    }

    private Tensor joined(Box box, int first, int last) throws IOException {
        return TensorBytes.filled(Tensors.empty(dtype, box.shape()), joined -> {
            for (int i = first; i < last; i++) {
                Box part = inFile(box, i);
                if (!part.isEmpty()) {
                    Tensor read = files[i].read(part);
                    joined.narrow(dim, rows.bounds()[i] + part.start(dim) - box.start(dim), part.size(dim))
                            .copy_(read);
                    read.release();
                }
            }
        });
    }

    private Box inFile(Box box, int file) {
        long first = rows.bounds()[file];
        long start = Math.max(box.start(dim), first);
        long end = Math.max(start, Math.min(box.end(dim), rows.bounds()[file + 1]));
        return box.with(dim, start - first, end - first);
    }

    @Override
    public long costBytes(Box box, long ofWholeRows) {
        if (box.rank() == 0) {
            return files[0].costBytes(box, ofWholeRows);
        }
        int first = rows.first(box.start(dim));
        int last = rows.end(first, box.end(dim));
        long cost = 0;
        for (int i = first; i < last; i++) {
            cost += files[i].costBytes(inFile(box, i), ofWholeRows);
        }
        return cost;
    }

    /** The part of one file, and what reading that takes. */
    @Override
    public long readingBytes(Shape box) {
        long ranges = 0;
        for (BlockReader file : files) {
            ranges = Math.max(ranges, file.readingBytes(box));
        }
        return files.length == 1 ? ranges : ranges + dtype.sizeBytes(box.numel());
    }
}
