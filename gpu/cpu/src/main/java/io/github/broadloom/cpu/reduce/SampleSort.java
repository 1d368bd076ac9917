package io.github.broadloom.cpu.reduce;

import io.github.broadloom.cpu.memory.MatrixReader;
import io.github.broadloom.cpu.memory.MatrixReader.Box;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.Serializable;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Puts a line in order that is in parts: samples of all parts tell where to split the values into ranges of about one size, each part is split there, and what belongs to a range is put in order. A value is told from its equals by its place in the line, so that no range is much larger than the others however often a value occurs, and equal values keep their order.
 */
public final class SampleSort {
    private static final int TILE = 1 << 10;

    private SampleSort() {}

    /**
     * Some values of the line.
     *
     * @param keys by which they are in order
     * @param rows where they are
     */
    public record Points(long[] keys, long[] rows) implements Serializable {
        /** How many points of those that are in order are not behind a value. */
        private int upTo(long key, long row) {
            int base = 0;
            for (int size = keys.length; size > 0; ) {
                int half = (size + 1) >>> 1;
                base += keys[base + half - 1] < key ? half : 0; // no branch
                size -= half;
            }
            if (base == keys.length || keys[base] != key) {
                return base;
            }
            int end = keys.length;
            while (base < end) {
                int middle = (base + end) >>> 1;
                if (keys[middle] == key && rows[middle] <= row) {
                    base = middle + 1;
                } else {
                    end = middle;
                }
            }
            return base;
        }
    }

    /**
     * Values of a part that are chosen at random, the same ones each time.
     *
     * @param part a vector, with one element at least
     * @param firstRow where its first element is in the line
     */
    public static Points sample(LineOp op, Tensor part, long firstRow, int count) {
        MatrixReader reader = new MatrixReader(part.view(1, 1, part.numel()));
        Object element = part.dtype().primitive().newArray(1);
        Points points = new Points(new long[count], new long[count]);
        SplittableRandom random = new SplittableRandom(firstRow);
        for (int i = 0; i < count; i++) {
            long at = random.nextLong(part.numel());
            reader.read(new Box(0, 0, at), new Box(1, 1, 1), element);
            SortKeys.of(part.dtype(), op.order(), element, 0, 1, points.keys, i);
            points.rows[i] = firstRow + at;
        }
        return points;
    }

    /** The first values of all ranges but the first one: fewer, where the samples do not tell as many apart. */
    public static Points splitters(List<Points> samples, int ranges) {
        record Point(long key, long row) {}
        List<Point> points = samples.stream()
                .flatMap(sample ->
                        IntStream.range(0, sample.keys.length).mapToObj(i -> new Point(sample.keys[i], sample.rows[i])))
                .sorted((a, b) -> a.key == b.key ? Long.compare(a.row, b.row) : Long.compare(a.key, b.key))
                .distinct()
                .toList();
        List<Point> chosen = IntStream.range(1, ranges)
                .mapToObj(range -> points.get((int) ((long) points.size() * range / ranges)))
                .distinct()
                .filter(point -> !point.equals(points.get(0))) // so that no range is empty
                .toList();
        return new Points(
                chosen.stream().mapToLong(Point::key).toArray(),
                chosen.stream().mapToLong(Point::row).toArray());
    }

    /**
     * A part of the line by ranges, within which the values keep their order.
     *
     * @param values a fresh vector
     * @param rows where in the line they are, a fresh vector; none where nobody asks
     * @param ends where each range ends
     */
    public record Split(Tensor values, Tensor rows, int[] ends) {
        /**
         * Splits it.
         *
         * @param part a vector
         * @param firstRow where its first element is in the line
         */
        public static Split of(LineOp op, Tensor part, long firstRow, Points splitters) {
            int count = Math.toIntExact(part.numel());
            MemoryMeter.array(count * (2L * Integer.BYTES + 2L * part.dtype().bytes()));
            LineReader reader = new LineReader(part, part.layout());
            reader.read(0);
            int[] ranges = new int[count];
            int[] ends = new int[splitters.keys.length + 1];
            long[] keys = new long[TILE];
            for (int at = 0; at < count; at += TILE) {
                int size = Math.min(TILE, count - at);
                SortKeys.of(part.dtype(), op.order(), reader.line(), at, size, keys, 0);
                for (int i = 0; i < size; i++) {
                    int range = splitters.upTo(keys[i], firstRow + at + i);
                    ranges[at + i] = range;
                    ends[range]++;
                }
            }
            KeySort.accumulate(ends);
            int[] places = new int[count];
            for (int i = 0; i < count; i++) {
                places[ends[ranges[i]]++] = i;
            }
            Tensor rows = op.kind().isIndices() ? rows(places, firstRow) : Tensors.empty(DType.INT64, Shape.of(0));
            return new Split(picked(part.dtype(), reader.line(), places, count), rows, ends);
        }

        private static Tensor rows(int[] places, long firstRow) {
            Tensor rows = Tensors.empty(DType.INT64, Shape.of(places.length));
            for (int i = 0; i < places.length; i++) {
                RawMemory.putLong(rows.address() + (long) Long.BYTES * i, firstRow + places[i]);
            }
            return rows;
        }
    }

    /**
     * A range in order.
     *
     * @param values all of it, in the order of the line; a vector
     * @param rows what goes with them, where that is wanted in their order and not they themselves
     */
    public static Tensor sorted(LineOp op, Tensor values, Tensor rows) {
        int count = Math.toIntExact(values.numel());
        Tensor wanted = op.kind().isIndices() ? rows : values;
        MemoryMeter.array(count
                * ((long) values.dtype().bytes()
                        + Along.SORTED_BYTES
                        + 2L * wanted.dtype().bytes()));
        LineReader reader = new LineReader(values, values.layout());
        reader.read(0);
        int[] places = new RankedLine(op, values.dtype(), count).places(reader.line());
        if (wanted != values) {
            reader = new LineReader(rows, rows.layout());
            reader.read(0);
        }
        return picked(wanted.dtype(), reader.line(), places, count);
    }

    private static Tensor picked(DType dtype, Object from, int[] places, int count) {
        Object into = dtype.primitive().newArray(count);
        RankedValues.values(dtype, from, places, 0, count, into);
        Tensor tensor = Tensors.empty(dtype, Shape.of(count));
        RawMemory.copy(into, RawMemory.firstElement(into), null, tensor.address(), (long) count * dtype.bytes());
        return tensor;
    }
}
