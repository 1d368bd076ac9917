package io.github.broadloom.sql;

import io.github.broadloom.device.FloatingElements;
import io.github.broadloom.device.IntegerElements;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;

/** The elements of one cell after the other, widened to {@code double} or {@code long}. What is given is valid until the next. Serves one thread. */
final class WideCell {
    private final CellReader reader;
    /** Elements as they are stored. */
    private Object stored;

    private double[] doubles = {};
    private long[] longs = {};

    WideCell(CellReader reader) {
        this.reader = reader;
        this.stored = array(reader.dtype(), 0);
    }

    private static Object array(DType dtype, int elements) {
        return switch (dtype) {
            case BOOL, INT8, UINT8 -> new byte[elements];
            case INT16, FLOAT16 -> new short[elements];
            case INT32 -> new int[elements];
            case INT64 -> new long[elements];
            case FLOAT32 -> new float[elements];
            case FLOAT64 -> new double[elements];
        };
    }

    /**
     * The elements, row-major, of a cell of a shape that the reader told; integers are rounded where {@code double} does not hold them.
     *
     * @throws IllegalArgumentException naming the argument and the place, where it is ragged, or an element is null
     */
    double[] doubles(Object cell, Shape shape) {
        read(cell, shape);
        if (reader.dtype().isFloatingPoint()) {
            FloatingElements.read(reader.dtype(), stored, doubles.length, doubles);
        } else {
            widenIntegers();
            for (int i = 0; i < doubles.length; i++) {
                doubles[i] = longs[i];
            }
        }
        return doubles;
    }

    /**
     * The elements, row-major, of a cell of integers or bools, of a shape that the reader told.
     *
     * @throws IllegalArgumentException naming the argument and the place, where it is ragged, or an element is null
     */
    long[] longs(Object cell, Shape shape) {
        read(cell, shape);
        widenIntegers();
        return longs;
    }

    private void widenIntegers() {
        IntegerElements.read(reader.dtype(), stored, longs.length, longs);
    }

    private void read(Object cell, Shape shape) {
        int elements = Math.toIntExact(shape.numel());
        if (doubles.length != elements) {
            stored = array(reader.dtype(), elements);
            doubles = new double[elements];
            longs = new long[elements];
        }
        reader.read(cell, shape, stored);
    }
}
