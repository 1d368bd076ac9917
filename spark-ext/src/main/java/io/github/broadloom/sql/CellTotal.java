package io.github.broadloom.sql;

import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.WideElements;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the cells of some rows come to, element by element: of floating numbers in float64, of others in int64. Rows and parts may come in any
 * order.
 */
final class CellTotal {
    private final CellReader.Refusal refusal;
    private final Kind kind;
    private final Accumulators accumulators;
    private @Nullable Shape shape;
    private long count;
    private Object totals;

    enum Kind {
        SUM(Reduction.SUM),
        MEAN(Reduction.MEAN),
        STD(Reduction.STD),
        MIN(Reduction.AMIN),
        MAX(Reduction.AMAX);

        private final Reduction reduction;

        Kind(Reduction reduction) {
            this.reduction = reduction;
        }

        List<String> arguments() {
            return this == STD ? List.of("input", "correction") : List.of("input");
        }

        /** The dtype in which cells are reduced: integers, of which PyTorch has no means and deviations, as NumPy does it. */
        DType reducedType(DType cells) {
            return (this == MEAN || this == STD) && !cells.isFloatingPoint() ? DType.FLOAT64 : cells;
        }

        /** The dtype of the total: PyTorch's, and of means and deviations of integers NumPy's, float64. */
        DType resultType(DType cells) {
            return reduction.resultType(reducedType(cells));
        }

        Accumulators accumulators(DType cells) {
            Expr rows = Input.of("rows", reducedType(cells), Shape.of(1)); // for its dtype alone
            return Accumulators.of((Reduce) Expr.reduce(reduction, rows, KeepDim.DROP, 0));
        }
    }

    CellTotal(CellReader.Refusal refusal, Kind kind, Accumulators accumulators) {
        this.refusal = refusal;
        this.kind = kind;
        this.accumulators = accumulators;
        this.totals = accumulators.allocate(0);
    }

    /** The shape of the cells; null where there was none. */
    @Nullable Shape shape() {
        return shape;
    }

    /** @throws IllegalArgumentException naming the argument, where the cell is no tensor; with both shapes, where the rows before had another one */
    void add(Object cell, WideCell elements) {
        Shape known = shape;
        if (known != null && elements.hasShape(cell, known)) {
            elements.read(cell, known);
            elements.join(totals, count);
        } else {
            Shape told = elements.shape(cell);
            if (known != null) {
                throw differing(told, known);
            }
            elements.read(cell, told);
            begin(told);
            elements.lift(totals);
        }
        count++;
    }

    /** @throws IllegalArgumentException with both shapes, where other rows have others */
    void add(CellTotal other) {
        Shape known = shape;
        if (other.shape == null) {
            return;
        }
        if (known == null) {
            begin(other.shape);
            System.arraycopy(other.totals, 0, totals, 0, numbers());
        } else if (known.equals(other.shape)) {
            accumulators.combine(totals, 0, other.totals, 0, numbers(), count, other.count);
        } else {
            throw differing(other.shape, known);
        }
        count += other.count;
    }

    private IllegalArgumentException differing(Shape told, Shape known) {
        return refusal.of("a row has the shape " + told + ", others have " + known);
    }

    private void begin(Shape cell) {
        shape = cell;
        totals = accumulators.allocate(Math.toIntExact(cell.numel()) * accumulators.components());
    }

    private int numbers() {
        return totals instanceof double[] doubles ? doubles.length : ((long[]) totals).length;
    }

    /** The totals of all elements, row-major, in one dimension; squared deviations are divided by the number of rows, lessened by the correction. */
    Tensor values(double correction) {
        if (totals instanceof long[] longs) {
            return Tensors.copyOf(longs, longs.length);
        }
        double[] values = new double[numbers() / accumulators.components()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value((double[]) totals, i, correction);
        }
        return Tensors.copyOf(values, values.length);
    }

    /** PyTorch's sums begin at +0.0, so that of nothing but -0.0 is +0.0. */
    private double value(double[] doubles, int element, double correction) {
        return switch (kind) {
            case SUM -> doubles[element] + 0.0;
            case MEAN -> (doubles[element] + 0.0) / count;
            case STD -> Math.sqrt(doubles[2 * element + 1] / Math.max(0, count - correction));
            case MIN, MAX -> doubles[element];
        };
    }

    byte[] bytes() {
        long[] sizes = shape == null ? new long[0] : shape.toArray();
        ByteBuffer bytes = ByteBuffer.allocate((2 + sizes.length + numbers()) * Long.BYTES);
        bytes.putLong(count).putLong(sizes.length);
        Arrays.stream(sizes).forEach(bytes::putLong);
        if (totals instanceof double[] doubles) {
            bytes.asDoubleBuffer().put(doubles);
        } else {
            bytes.asLongBuffer().put((long[]) totals);
        }
        return bytes.array();
    }

    /** Takes totals that {@link #bytes} made in the place of these. */
    CellTotal read(byte[] written) {
        ByteBuffer bytes = ByteBuffer.wrap(written);
        count = bytes.getLong();
        long[] sizes = new long[Math.toIntExact(bytes.getLong())];
        Arrays.setAll(sizes, d -> bytes.getLong());
        if (count > 0) {
            begin(Shape.of(sizes));
            if (totals instanceof double[] doubles) {
                bytes.asDoubleBuffer().get(doubles);
            } else {
                bytes.asLongBuffer().get((long[]) totals);
            }
        }
        return this;
    }

    /** The elements of one cell after the other, which become accumulators or join them. Serves one thread. */
    static final class WideCell {
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

        /** @throws IllegalArgumentException naming the argument and the place, where the cell is ragged, or an element is null */
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
            WideElements.read(reader.dtype(), stored, elements, longs);
            double[] doubles = new double[elements];
            for (int i = 0; i < elements; i++) {
                doubles[i] = longs[i];
            }
            return doubles;
        }
    }
}
