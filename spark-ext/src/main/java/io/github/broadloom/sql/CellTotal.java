package io.github.broadloom.sql;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
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
    /** Sums, extremes, or means; of integers the bits of longs. */
    private long[] first = {};
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
     * Begins a row.
     *
     * @throws IllegalArgumentException with both shapes, where the rows before had another one
     */
    void begin(Shape cell) {
        Shape known = shape;
        if (known == null) {
            shape = cell;
            int elements = Math.toIntExact(cell.numel());
            first = new long[elements];
            squares = kind == Kind.STD ? new double[elements] : squares;
        } else if (!known.equals(cell)) {
            throw refused(cell, known);
        }
        count++;
    }

    /** Adds an element of the row that was begun. */
    void add(int element, double value) {
        double before = Double.longBitsToDouble(first[element]);
        double after = switch (kind) {
            case SUM, MEAN -> before + value;
            case MIN -> count == 1 ? value : Math.min(before, value);
            case MAX -> count == 1 ? value : Math.max(before, value);
            case STD -> before + (value - before) / count;
        };
        if (kind == Kind.STD) {
            squares[element] += (value - before) * (value - after);
        }
        first[element] = Double.doubleToRawLongBits(after);
    }

    /** Adds an element of the row that was begun. */
    void add(int element, long value) {
        first[element] = joined(first[element], value, count == 1);
    }

    private IllegalArgumentException refused(Shape one, Shape others) {
        return new IllegalArgumentException(
                "Cannot call " + function + ": a row has the shape " + one + ", others have " + others);
    }

    private long joined(long before, long value, boolean isFirst) {
        return switch (kind) {
            case MIN -> isFirst ? value : Math.min(before, value);
            case MAX -> isFirst ? value : Math.max(before, value);
            default -> before + value;
        };
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
        Shape mine = shape;
        if (mine == null) {
            shape = theirs;
            count = other.count;
            first = other.first.clone();
            squares = other.squares.clone();
            return;
        }
        if (!mine.equals(theirs)) {
            throw refused(theirs, mine);
        }
        for (int i = 0; i < first.length; i++) {
            first[i] = floating ? joinedBits(i, other) : joined(first[i], other.first[i], false);
        }
        count += other.count;
    }

    private long joinedBits(int i, CellTotal other) {
        double mine = Double.longBitsToDouble(first[i]);
        double theirs = Double.longBitsToDouble(other.first[i]);
        double both = switch (kind) {
            case SUM, MEAN -> mine + theirs;
            case MIN -> Math.min(mine, theirs);
            case MAX -> Math.max(mine, theirs);
            case STD -> {
                double difference = theirs - mine;
                double share = (double) other.count / (count + other.count);
                squares[i] += other.squares[i] + difference * difference * count * share;
                yield mine + difference * share;
            }
        };
        return Double.doubleToRawLongBits(both);
    }

    /** The total of an element, where the numbers are doubles; deviations are divided by the number of rows less the correction. */
    double doubleValue(int element, double correction) {
        double value = Double.longBitsToDouble(first[element]);
        return switch (kind) {
            case MEAN -> value / count;
            case STD -> Math.sqrt(squares[element] / Math.max(0, count - correction));
            default -> value;
        };
    }

    /** The total of an element, where the numbers are longs. */
    long longValue(int element) {
        return first[element];
    }

    /** These totals for another JVM. */
    byte[] bytes() {
        Shape known = shape;
        long[] sizes = known == null ? new long[0] : known.toArray();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(known == null ? 0 : count);
            out.writeInt(sizes.length);
            for (long size : sizes) {
                out.writeLong(size);
            }
            for (long number : first) {
                out.writeLong(number);
            }
            for (double square : squares) {
                out.writeDouble(square);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Totals that {@link #bytes} made. */
    static CellTotal of(String function, Kind kind, boolean floating, byte[] bytes) {
        CellTotal total = new CellTotal(function, kind, floating);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            total.count = in.readLong();
            long[] sizes = new long[in.readInt()];
            for (int d = 0; d < sizes.length; d++) {
                sizes[d] = in.readLong();
            }
            if (total.count > 0) {
                Shape shape = Shape.of(sizes);
                total.shape = shape;
                total.first = new long[Math.toIntExact(shape.numel())];
                for (int i = 0; i < total.first.length; i++) {
                    total.first[i] = in.readLong();
                }
                total.squares = new double[kind == Kind.STD ? total.first.length : 0];
                for (int i = 0; i < total.squares.length; i++) {
                    total.squares[i] = in.readDouble();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return total;
    }

    @Override
    public String toString() {
        return kind + " of " + count + " cells " + (shape == null ? "" : Arrays.toString(shape.toArray()));
    }
}
