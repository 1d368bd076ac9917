package io.github.broadloom.cpu.reduce;

import io.github.broadloom.device.Backend;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.Serializable;
import java.lang.reflect.Array;

/**
 * Finds the first values in order of rows that come chunk by chunk, in any order. Of each chunk the first ones of its own are enough; equal values are told apart by their rows, so that
 * the result does not depend on how the rows were cut.
 *
 * <p>Safe for use by several threads.
 */
public final class RankedFold {
    private final Along whole;
    private final DType dtype;
    private final int lines;
    private final int ranks;
    private Found found;

    /**
     * The first values of each line of some rows.
     *
     * @param values line by line, as they are stored
     * @param rows of the values, among all rows
     * @param each how many a line has
     */
    public record Found(Object values, long[] rows, int each) implements Serializable {
        private static final long serialVersionUID = 1L;

        public long sizeBytes() {
            return Array.getLength(values) * 8L + rows.length * 8L;
        }
    }

    /** A fold without rows; only dtypes, shapes and the op are looked at. */
    public RankedFold(Along whole) {
        this.whole = whole;
        this.dtype = whole.operand().dtype();
        this.lines = lines(whole);
        this.ranks = ranks(whole);
        this.found = new Found(dtype.primitive().newArray(0), new long[0], 0);
    }

    private static int lines(Along along) {
        return Math.toIntExact(along.operand().shape().inner().numel());
    }

    private static int ranks(Along along) {
        return Math.toIntExact(along.op().ranks(along.lineLength()));
    }

    /**
     * The first values of a chunk of rows.
     *
     * @param part over the chunk's operands
     * @param firstRow of the chunk
     */
    public static Found partial(Backend backend, Along part, long firstRow) {
        try (Evaluated operand = Evaluated.of(backend, part.operand())) {
            return partial(part, operand.value(), firstRow);
        }
    }

    private static Found partial(Along part, Tensor value, long firstRow) {
        DType dtype = value.dtype();
        int lines = lines(part);
        int each = ranks(part);
        MemoryMeter.array(part.lineBytes());
        RankedLine ranked = new RankedLine(part.op(), dtype, Math.toIntExact(part.lineLength()));
        LineReader reader = new LineReader(value, value.layout().movedim(0, value.rank() - 1));
        Object values = dtype.primitive().newArray(Math.multiplyExact(lines, each));
        Object own = dtype.primitive().newArray(each);
        long[] rows = new long[lines * each];
        for (int line = 0; line < lines; line++) {
            reader.read(line);
            int[] places = ranked.places(reader.line());
            RankedValues.values(dtype, reader.line(), places, 0, each, own);
            System.arraycopy(own, 0, values, line * each, each);
            for (int i = 0; i < each; i++) {
                rows[line * each + i] = firstRow + places[i];
            }
        }
        return new Found(values, rows, each);
    }

    /** Takes what was found in other rows. */
    public synchronized void push(Found other) {
        if (found.each() == 0 || other.each() == 0) {
            found = found.each() == 0 ? other : found;
            return;
        }
        int each = (int) Math.min(ranks, (long) found.each() + other.each());
        Object values = joined(found.values(), other.values());
        int count = Array.getLength(values);
        long[] keys = new long[count];
        SortKeys.of(dtype, whole.op().order(), values, 0, count, keys, 0);
        long[] rows = (long[]) joined(found.rows(), other.rows());
        int[] places = new int[Math.multiplyExact(lines, each)];
        for (int line = 0; line < lines; line++) {
            int left = line * found.each();
            int right = found.rows().length + line * other.each();
            merge(keys, rows, left, left + found.each(), right, right + other.each(), places, line * each, each);
        }
        Object merged = dtype.primitive().newArray(places.length);
        RankedValues.values(dtype, values, places, 0, places.length, merged);
        long[] mergedRows = new long[places.length];
        RankedValues.longs(rows, places, 0, places.length, mergedRows);
        found = new Found(merged, mergedRows, each);
    }

    private static Object joined(Object left, Object right) {
        int count = Array.getLength(left);
        int more = Array.getLength(right);
        Object both = Array.newInstance(left.getClass().getComponentType(), Math.addExact(count, more));
        System.arraycopy(left, 0, both, 0, count);
        System.arraycopy(right, 0, both, count, more);
        return both;
    }

    /** The places of the first of two ranges that are in order. */
    private static void merge(
            long[] keys,
            long[] rows,
            int leftFirst,
            int leftEnd,
            int rightFirst,
            int rightEnd,
            int[] places,
            int at,
            int count) {
        int left = leftFirst;
        int right = rightFirst;
        for (int i = 0; i < count; i++) {
            boolean isLeft = right == rightEnd
                    || left < leftEnd
                            && (keys[left] < keys[right] || keys[left] == keys[right] && rows[left] < rows[right]);
            places[at + i] = isLeft ? left++ : right++;
        }
    }

    /** What was found so far: for another fold to go on with. */
    public synchronized Found found() {
        return found;
    }

    /**
     * The value, once all rows were looked at.
     *
     * @return a fresh contiguous tensor
     */
    public synchronized Tensor finish() {
        Tensor result = Tensors.empty(whole.dtype(), whole.shape());
        int count = Math.toIntExact(result.numel());
        int written = lines == 0 ? 0 : count / lines;
        int[] places = new int[count];
        for (int i = 0; i < count; i++) {
            int rank = ranks - written + i / lines;
            places[i] = i % lines * ranks + rank;
        }
        Object values = result.dtype().primitive().newArray(count);
        if (whole.op().kind().isIndices()) {
            RankedValues.longs(found.rows(), places, 0, count, (long[]) values);
        } else {
            RankedValues.values(dtype, found.values(), places, 0, count, values);
        }
        if (count > 0) {
            long bytes = (long) count * result.dtype().bytes();
            RawMemory.copy(values, RawMemory.firstElement(values), null, result.address(), bytes);
        }
        return result;
    }
}
