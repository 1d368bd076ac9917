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
            forEachChunk(box, chunk, (index, whole, part) -> readPart(index, whole, part, part.of(block, box)));
            complete = true;
            return block;
        } finally {
            if (!complete) {
                block.release();
            }
        }
    }

    /** What is done with a chunk: its place in the grid, the elements that a whole one has there, and those of them that are in a box. */
    @FunctionalInterface
    public interface EachChunk {
        void accept(long[] index, Box whole, Box part) throws IOException;
    }

    /** Every chunk with elements of the box, in row-major order. */
    public static void forEachChunk(Box box, Shape chunk, EachChunk each) throws IOException {
        if (box.isEmpty()) {
            return;
        }
        long[] first = new long[box.rank()];
        Arrays.setAll(first, d -> box.start(d) / chunk.size(d));
        long[] index = first.clone();
        while (true) {
            Cancellation.check();
            long[] starts = new long[index.length];
            Arrays.setAll(starts, d -> index[d] * chunk.size(d));
            Box whole = Box.at(starts, chunk);
            each.accept(index.clone(), whole, whole.intersection(box));
            int d = index.length - 1;
            while (d >= 0 && whole.end(d) >= box.end(d)) {
                index[d] = first[d];
                d--;
            }
            if (d < 0) {
                return;
            }
            index[d]++;
        }
    }

    /**
     * Reads elements of one chunk; who can read less than a chunk overrides it.
     *
     * @param whole where the chunk lies in the array
     * @param part those of its elements that are wanted
     * @param target of the shape of the part
     */
    protected void readPart(long[] index, Box whole, Box part, Tensor target) throws IOException {
        Tensor read = readChunk(index);
        if (read == null) {
            fill(target);
            return;
        }
        try {
            target.copy_(part.of(read, Box.at(whole.starts(), read.shape())));
        } finally {
            read.release();
        }
    }

    /** Chunks are read whole. */
    @Override
    public long costBytes(Box box, long ofWholeRows) {
        return costBytes(box, chunk);
    }

    /** What all pieces of that shape have that lie in the box. */
    protected final long costBytes(Box box, Shape piece) {
        double elements = box.isEmpty() ? 0 : 1;
        for (int d = 0; d < box.rank() && !box.isEmpty(); d++) {
            long pieces = (box.end(d) - 1) / piece.size(d) - box.start(d) / piece.size(d) + 1;
            elements *= (double) pieces * piece.size(d);
        }
        return (long) (elements * dtype.bytes());
    }

    /** A chunk, and what reading it takes. */
    @Override
    public long readingBytes(Shape box) {
        return dtype.sizeBytes(chunk.numel()) + chunkOverheadBytes();
    }
}
