package io.github.broadloom.format;

import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import java.io.IOException;

/**
 * The ranges of a file that have to be read for a box of the row-major array in it. What lies between two runs of elements is read, too, where it is so little that stepping over it
 * would cost more; the ranges are then no longer than {@link #LONGEST_BYTES}, or two steps, because what is read has to be held until the elements are picked out of it.
 */
public final class FileRanges {
    /** About what a disk of this machine reads in the time of a step. */
    public static final long STEP_BYTES = 64 << 10;

    static final long LONGEST_BYTES = 1 << 20;

    private final Box box;
    private final int elementBytes;
    private final long[] strides;
    /** The dimension of which a range has several indices, all of those behind it with all indices of the box; -1 where there is one range. */
    private final int dim;
    /** How many indices of that dimension a range has at most. */
    private final long batch;

    private final long stepBytes;

    /** Of a file of this machine. */
    public FileRanges(Shape file, Box box, int elementBytes) {
        this(file, box, elementBytes, STEP_BYTES);
    }

    /**
     * @param file the shape of the array
     * @param stepBytes what is read in the time of a step, as {@link Store#stepBytes} tells
     */
    public FileRanges(Shape file, Box box, int elementBytes, long stepBytes) {
        this.stepBytes = stepBytes;
        long longest = Math.max(LONGEST_BYTES, 2 * stepBytes);
        this.box = box;
        this.elementBytes = elementBytes;
        this.strides = Layout.contiguous(file).strides();
        int whole = file.rank();
        while (whole > 0 && box.size(whole - 1) == file.size(whole - 1)) {
            whole--;
        }
        int next =
                Math.max(0, whole - 1); // the elements of one index of the dimension before this one follow each other
        while (next > 0 && isWorthReading(next - 1) && indexBytes(next - 1) * box.size(next - 1) <= longest) {
            next--;
        }
        this.dim = next - 1;
        this.batch = dim >= 0 && isWorthReading(dim) ? Math.max(1, longest / indexBytes(dim)) : 1;
    }

    private boolean isWorthReading(int d) {
        return indexBytes(d) - elements(d + 1) * elementBytes <= stepBytes;
    }

    private long indexBytes(int d) {
        return strides[d] * elementBytes;
    }

    /** From the first element of a box to its last one, along the dimensions from {@code from} on. */
    private static long elements(Box box, long[] strides, int from) {
        long last = 0;
        for (int d = from; d < strides.length; d++) {
            last += (box.size(d) - 1) * strides[d];
        }
        return last + 1;
    }

    private long elements(int from) {
        return elements(box, strides, from);
    }

    /** A range: its first element in the file, how many it has, the elements of the box that lie in it, and the layout of those in the range. */
    public record Range(long first, long elements, Box part, Layout layout) {
        /** Whether all that is read is wanted, in this order. */
        public boolean isExact() {
            return elements == part.shape().numel();
        }
    }

    public interface Each {
        void accept(Range range) throws IOException;
    }

    public void forEach(Each each) throws IOException {
        if (!box.isEmpty()) {
            visit(0, box, each);
        }
    }

    private void visit(int d, Box part, Each each) throws IOException {
        if (d > dim) {
            each.accept(range(part));
            return;
        }
        long step = d == dim ? batch : 1;
        for (long i = box.start(d); i < box.end(d); i += step) {
            visit(d + 1, part.with(d, i, Math.min(i + step, box.end(d))), each);
        }
    }

    private Range range(Box part) {
        long first = 0;
        for (int d = 0; d < strides.length; d++) {
            first += part.start(d) * strides[d];
        }
        return new Range(first, elements(part, strides, 0), part, Layout.of(part.shape(), strides, 0));
    }

    /** What reading them costs, in bytes: each begins with a step. */
    public long costBytes() {
        if (box.isEmpty()) {
            return 0;
        }
        long ranges = 1;
        for (int d = 0; d < dim; d++) {
            ranges *= box.size(d);
        }
        long batches = dim < 0 ? 1 : (box.size(dim) + batch - 1) / batch;
        double elements = dim < 0
                ? elements(0)
                : (double) batches * elements(dim + 1) + (double) (box.size(dim) - batches) * strides[dim];
        return (long) (ranges * (elements * elementBytes + (batches - 1.0) * stepBytes) + (ranges - 1.0) * stepBytes);
    }

    /** The bytes of the longest range of which not all is wanted. */
    public long readingBytes() {
        if (box.isEmpty()) {
            return 0;
        }
        Range first = range(first());
        return first.isExact() ? 0 : first.elements() * elementBytes;
    }

    /** The most that is held at once beside a tensor in which the box has places that do not follow each other. */
    public long pickingBytes() {
        return Math.max(readingBytes(), Math.min(LONGEST_BYTES, box.shape().numel() * elementBytes));
    }

    /** What the first range has of the box, and so the longest. */
    private Box first() {
        Box part = box;
        for (int d = 0; d <= dim; d++) {
            part = part.with(d, box.start(d), Math.min(box.end(d), box.start(d) + (d == dim ? batch : 1)));
        }
        return part;
    }
}
