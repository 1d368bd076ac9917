package io.github.broadloom.sql;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the cells of some rows come to, element by element: of floating numbers in float64, of others in int64. Rows and parts may come in any
 * order.
 */
final class CellTotal {
    private final String function;
    private final Kind kind;
    private final boolean floating;
    private @Nullable Shape shape;
    private long count;
    /** Sums, extremes, or means, where the numbers are doubles. */
    private double[] doubles = {};
    /** Sums or extremes, where the numbers are longs. */
    private long[] longs = {};
    /** Sums of squared deviations from the means; of a deviation alone. */
    private double[] squares = {};

    /** How cells are put together. */
    enum Kind {
        SUM,
        MEAN,
        STD,
        MIN,
        MAX;

        /** The names of the arguments. */
        List<String> arguments() {
            return this == STD ? List.of("input", "correction") : List.of("input");
        }

        /** Whether the numbers are doubles, for cells of that dtype. */
        boolean isFloating(DType dtype) {
            return this == MEAN || this == STD || dtype.isFloatingPoint();
        }

        /** The dtype of the total: PyTorch's, and of means and deviations of integers NumPy's, float64. */
        DType resultType(DType dtype) {
            return switch (this) {
                case SUM -> dtype.isFloatingPoint() ? dtype : DType.INT64;
                case MEAN, STD -> dtype.isFloatingPoint() ? dtype : DType.FLOAT64;
                case MIN, MAX -> dtype;
            };
        }
    }

    /** @param function as the user calls it */
    CellTotal(String function, Kind kind, boolean floating) {
        this.function = function;
        this.kind = kind;
        this.floating = floating;
    }

    /** Whether the numbers are doubles. */
    boolean isFloating() {
        return floating;
    }

    /** The shape of the cells; null where there was none. */
    @Nullable Shape shape() {
        return shape;
    }

    /**
     * Adds a row whose numbers are doubles.
     *
     * @param values of the cell, row-major
     * @throws IllegalArgumentException with both shapes, where the rows before had another one
     */
    void add(Shape cell, double[] values) {
        begin(cell);
        count++;
        if (kind == Kind.STD) {
            addToMoments(values);
        } else {
            join(values);
        }
    }

    /**
     * Adds a row whose numbers are longs.
     *
     * @param values of the cell, row-major
     * @throws IllegalArgumentException with both shapes, where the rows before had another one
     */
    void add(Shape cell, long[] values) {
        begin(cell);
        count++;
        join(values);
    }

    /**
     * Adds what other rows come to.
     *
     * @throws IllegalArgumentException with both shapes, where they have others
     */
    void add(CellTotal other) {
        Shape theirs = other.shape;
        if (theirs == null) {
            return;
        }
        begin(theirs);
        if (kind == Kind.STD && count > 0) {
            joinMoments(other);
        } else {
            join(other.doubles); // the first means are added to zeros
            join(other.longs);
            System.arraycopy(other.squares, 0, squares, 0, squares.length);
        }
        count += other.count;
    }

    private void begin(Shape cell) {
        Shape known = shape;
        if (known == null) {
            shape = cell;
            allocate(Math.toIntExact(cell.numel()));
        } else if (!known.equals(cell)) {
            throw new IllegalArgumentException(
                    "Cannot call " + function + ": a row has the shape " + cell + ", others have " + known);
        }
    }

    /** What no rows come to, in each element. */
    private void allocate(int elements) {
        doubles = new double[floating ? elements : 0];
        longs = new long[floating ? 0 : elements];
        squares = new double[kind == Kind.STD ? elements : 0];
        if (kind == Kind.MIN) {
            Arrays.fill(doubles, Double.POSITIVE_INFINITY);
            Arrays.fill(longs, Long.MAX_VALUE);
        } else if (kind == Kind.MAX) {
            Arrays.fill(doubles, Double.NEGATIVE_INFINITY);
            Arrays.fill(longs, Long.MIN_VALUE);
        }
    }

    private void join(double[] others) {
        double[] totals = doubles;
        switch (kind) {
            case MIN -> {
                for (int i = 0; i < totals.length; i++) {
                    totals[i] = Math.min(totals[i], others[i]);
                }
            }
            case MAX -> {
                for (int i = 0; i < totals.length; i++) {
                    totals[i] = Math.max(totals[i], others[i]);
                }
            }
            default -> {
                for (int i = 0; i < totals.length; i++) {
                    totals[i] += others[i];
                }
            }
        }
    }

    private void join(long[] others) {
        long[] totals = longs;
        switch (kind) {
            case MIN -> {
                for (int i = 0; i < totals.length; i++) {
                    totals[i] = Math.min(totals[i], others[i]);
                }
            }
            case MAX -> {
                for (int i = 0; i < totals.length; i++) {
                    totals[i] = Math.max(totals[i], others[i]);
                }
            }
            default -> {
                for (int i = 0; i < totals.length; i++) {
                    totals[i] += others[i];
                }
            }
        }
    }

    /** Welford's step, of the row that {@link #count} counts already. */
    private void addToMoments(double[] values) {
        for (int i = 0; i < values.length; i++) {
            double before = doubles[i];
            double mean = before + (values[i] - before) / count;
            squares[i] += (values[i] - before) * (values[i] - mean);
            doubles[i] = mean;
        }
    }

    /** The step of Chan, Golub and LeVeque. */
    private void joinMoments(CellTotal other) {
        double share = (double) other.count / (count + other.count);
        for (int i = 0; i < doubles.length; i++) {
            double difference = other.doubles[i] - doubles[i];
            squares[i] += other.squares[i] + difference * difference * count * share;
            doubles[i] += difference * share;
        }
    }

    /** The total of an element, where the numbers are doubles; deviations are divided by the number of rows less the correction. */
    double doubleValue(int element, double correction) {
        return switch (kind) {
            case MEAN -> doubles[element] / count;
            case STD -> Math.sqrt(squares[element] / Math.max(0, count - correction));
            default -> doubles[element];
        };
    }

    /** The total of an element, where the numbers are longs. */
    long longValue(int element) {
        return longs[element];
    }

    /** These totals for another JVM. */
    byte[] bytes() {
        long[] sizes = shape == null ? new long[0] : shape.toArray();
        int numbers = 2 + sizes.length + doubles.length + longs.length + squares.length;
        ByteBuffer bytes = ByteBuffer.allocate(numbers * Long.BYTES);
        bytes.putLong(count).putLong(sizes.length);
        putLongs(bytes, sizes);
        putDoubles(bytes, doubles);
        putLongs(bytes, longs);
        putDoubles(bytes, squares);
        return bytes.array();
    }

    private static void putLongs(ByteBuffer bytes, long[] numbers) {
        bytes.asLongBuffer().put(numbers);
        bytes.position(bytes.position() + numbers.length * Long.BYTES);
    }

    private static void putDoubles(ByteBuffer bytes, double[] numbers) {
        bytes.asDoubleBuffer().put(numbers);
        bytes.position(bytes.position() + numbers.length * Double.BYTES);
    }

    /** Totals that {@link #bytes} made. */
    static CellTotal of(String function, Kind kind, boolean floating, byte[] written) {
        CellTotal total = new CellTotal(function, kind, floating);
        ByteBuffer bytes = ByteBuffer.wrap(written);
        total.count = bytes.getLong();
        long[] sizes = new long[Math.toIntExact(bytes.getLong())];
        getLongs(bytes, sizes);
        if (total.count > 0) {
            total.begin(Shape.of(sizes));
            getDoubles(bytes, total.doubles);
            getLongs(bytes, total.longs);
            getDoubles(bytes, total.squares);
        }
        return total;
    }

    private static void getLongs(ByteBuffer bytes, long[] numbers) {
        bytes.asLongBuffer().get(numbers);
        bytes.position(bytes.position() + numbers.length * Long.BYTES);
    }

    private static void getDoubles(ByteBuffer bytes, double[] numbers) {
        bytes.asDoubleBuffer().get(numbers);
        bytes.position(bytes.position() + numbers.length * Double.BYTES);
    }

    @Override
    public String toString() {
        return kind + " of " + count + " cells " + (shape == null ? "" : Arrays.toString(shape.toArray()));
    }
}
