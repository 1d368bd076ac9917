package io.github.broadloom.sql;

import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
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
            return Accumulators.of((Reduce) Expr.reduce(reduction, rows, new int[] {0}, false));
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

    /**
     * Adds a row.
     *
     * @param elements reads the cell
     * @throws IllegalArgumentException naming the argument, where it is no tensor; with both shapes, where the rows before had another one
     */
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

    /**
     * The totals of all elements, row-major, in one dimension.
     *
     * @param correction by which the number of rows is lessened, before squared deviations are divided by it
     */
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
}
