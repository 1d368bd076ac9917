package io.github.broadloom.sql;

import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.IntegerElements;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;

/** The elements of one cell after the other, which become accumulators or join them. Serves one thread. */
final class WideCell {
    private final CellReader reader;
    private final Accumulators accumulators;
    /** The dtype that the accumulators gather; of integers perhaps float64. */
    private final DType reduced;

    /** Whether elements join accumulators as they are stored. */
    private final boolean added;

    private int elements;
    private Object stored;
    private Object lifted;

    /** @param reduced the dtype that the accumulators gather: that of the cells, or of integers float64 */
    WideCell(CellReader reader, Accumulators accumulators, DType reduced) {
        this.reader = reader;
        this.accumulators = accumulators;
        this.reduced = reduced;
        this.added = reduced == reader.dtype() && accumulators.addsElements(reduced);
        this.stored = reader.dtype().primitive().newArray(0);
        this.lifted = accumulators.allocate(0);
    }

    Shape shape(Object cell) {
        return reader.shape(cell);
    }

    boolean hasShape(Object cell, Shape shape) {
        return reader.hasShape(cell, shape);
    }

    /**
     * Reads a cell of a shape that was told.
     *
     * @throws IllegalArgumentException naming the argument and the place, where it is ragged, or an element is null
     */
    void read(Object cell, Shape shape) {
        int wanted = Math.toIntExact(shape.numel());
        if (elements != wanted) {
            elements = wanted;
            stored = reader.dtype().primitive().newArray(elements);
            lifted = accumulators.allocate(added ? 0 : elements * accumulators.components());
        }
        reader.read(cell, shape, stored);
    }

    /** The elements as accumulators, row-major; integers are rounded where {@code double} does not hold them. */
    void lift(Object into) {
        accumulators.lift(reduced, reduced == reader.dtype() ? stored : floating(), elements, 0, into);
    }

    /** Joins the elements to accumulators of the elements of other cells, of which there are {@code cells}. */
    void join(Object into, long cells) {
        if (added) {
            accumulators.add(reduced, stored, elements, into);
        } else {
            lift(lifted);
            accumulators.combine(into, 0, lifted, 0, elements * accumulators.components(), cells, 1);
        }
    }

    private double[] floating() {
        long[] longs = new long[elements];
        IntegerElements.read(reader.dtype(), stored, elements, longs);
        double[] doubles = new double[elements];
        for (int i = 0; i < elements; i++) {
            doubles[i] = longs[i];
        }
        return doubles;
    }
}
