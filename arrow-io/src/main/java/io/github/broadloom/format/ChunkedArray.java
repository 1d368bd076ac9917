package io.github.broadloom.format;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An array that lies in chunks of one shape, each of which is read whole: compressed ones, tiles of pictures. Those at its ends may hold more than the array has. */
public abstract class ChunkedArray implements BlockReader {
    private static final long serialVersionUID = 1L;

    private final DType dtype;
    private final Shape shape;
    private final Shape chunk;

    /**
     * @param chunk the shape of a chunk, with no size of 0
     * @throws IllegalArgumentException where it has another rank than the array, or a size of 0
     */
    protected ChunkedArray(DType dtype, Shape shape, Shape chunk) {
        if (chunk.rank() != shape.rank() || Arrays.stream(chunk.toArray()).anyMatch(size -> size < 1)) {
            throw new IllegalArgumentException("Cannot cut shape " + shape + " into chunks of " + chunk);
        }
        this.dtype = dtype;
        this.shape = shape;
        this.chunk = chunk;
    }

    public final DType dtype() {
        return dtype;
    }

    public final Shape shape() {
        return shape;
    }

    public final Shape chunk() {
        return chunk;
    }

    /**
     * The elements of a chunk.
     *
     * @param index its place in the grid of chunks
     * @return in memory of its own, of the chunk's shape, or of what of that lies in the array; null where there is none, so that all have the fill value
     */
    protected abstract @Nullable Tensor readChunk(long[] index) throws IOException;

    /** Gives all elements the value that they have where no chunk is. */
    protected void fill(Tensor elements) {
        elements.zero_();
    }

    /** The memory that reading a chunk takes beside its elements. */
    protected long chunkOverheadBytes() {
        return dtype.sizeBytes(chunk.numel());
    }

    @Override
    public Tensor read(Box box) throws IOException {
        Tensor block = Tensors.empty(dtype, box.shape());
        boolean complete = false;
        try {
            if (!box.isEmpty()) {
                long[] first = new long[box.rank()];
                Arrays.setAll(first, d -> box.start(d) / chunk.size(d));
                visit(box, first, block);
            }
            complete = true;
            return block;
        } finally {
            if (!complete) {
                block.release();
            }
        }
    }

    /** Every chunk with elements of the box, in row-major order. */
    private void visit(Box box, long[] first, Tensor block) throws IOException {
        long[] index = first.clone();
        while (true) {
            Cancellation.check();
            place(index, box, block);
            int d = index.length - 1;
            while (d >= 0 && (index[d] + 1) * chunk.size(d) >= box.end(d)) {
                index[d] = first[d];
                d--;
            }
            if (d < 0) {
                return;
            }
            index[d]++;
        }
    }

    private void place(long[] index, Box box, Tensor block) throws IOException {
        long[] starts = new long[index.length];
        Arrays.setAll(starts, d -> index[d] * chunk.size(d));
        Box whole = Box.at(starts, chunk);
        Box part = whole.intersection(box);
        Tensor target = part.of(block, box);
        Tensor read = readChunk(index.clone());
        if (read == null) {
            fill(target);
            return;
        }
        try {
            target.copy_(part.of(read, Box.at(starts, read.shape())));
        } finally {
            read.release();
        }
    }

    /** Chunks are read whole. */
    @Override
    public long costBytes(Box box, long ofWholeRows) {
        double elements = box.isEmpty() ? 0 : 1;
        for (int d = 0; d < box.rank() && !box.isEmpty(); d++) {
            long chunks = (box.end(d) - 1) / chunk.size(d) - box.start(d) / chunk.size(d) + 1;
            elements *= (double) chunks * chunk.size(d);
        }
        return (long) (elements * dtype.bytes());
    }

    /** A chunk, and what reading it takes. */
    @Override
    public long readingBytes(Shape box) {
        return dtype.sizeBytes(chunk.numel()) + chunkOverheadBytes();
    }
}
