package io.github.broadloom.cpu.reduce;

import io.github.broadloom.cpu.memory.MatrixReader;
import io.github.broadloom.cpu.memory.MatrixReader.Box;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Grouped.Kind;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Joins rows of matrices to the accumulators of their groups, row by row: a panel of columns at a time, so that what is accumulated stays in the cache. Of any number of
 * groups of any number of columns; not for use by several threads.
 */
public final class GroupRows {
    /** What a panel accumulates. */
    public static final long PANEL_ELEMENTS = 1 << 15;

    /** What is read at a time. */
    private static final int TILE_ELEMENTS = 1 << 13;

    private final Grouped grouped;
    private final Kind kind;
    private final DType dtype;
    private final int groups;
    private final int panelColumns;
    private final MatrixReader reader;
    private final MatrixReader labels;
    private final int @Nullable [] common;
    private final Object stored;
    private final Object tile;

    /**
     * The rows of matrices.
     *
     * @param source of the rank of a row of matrices
     * @param labels of that shape, or of one column of one matrix
     * @param common of all lines, the group of each row; of lines that differ, null
     */
    public GroupRows(Grouped grouped, Tensor source, Tensor labels, int @Nullable [] common) {
        this.grouped = grouped;
        this.kind = grouped.function().kind();
        this.dtype = source.dtype();
        this.groups = (int) grouped.groups();
        this.panelColumns = panelColumns(grouped, source.shape().size(2));
        this.reader = new MatrixReader(source);
        this.labels = new MatrixReader(labels);
        this.common = common;
        int tileElements = Math.max(TILE_ELEMENTS, panelColumns);
        this.stored = dtype.primitive().newArray(tileElements);
        this.tile = WideElements.allocate(dtype, tileElements);
    }

    /** How many columns are joined at a time at most. */
    public static int panelColumns(Grouped grouped, long columns) {
        return (int) Math.min(columns, Math.max(1, PANEL_ELEMENTS / Math.max(1, grouped.groups())));
    }

    /** The groups of the rows {@code 0 <= row < rows} of a line of labels; -1 where there is none. */
    public static int[] groups(Grouped grouped, Tensor labels, long matrix, long column, long rows) {
        long[] read = new long[(int) rows];
        new MatrixReader(labels).read(new Box(matrix, 0, column), new Box(1, rows, 1), read);
        int[] found = new int[read.length];
        for (int i = 0; i < found.length; i++) {
            found[i] = group(grouped, read[i]);
        }
        return found;
    }

    private static int group(Grouped grouped, long label) {
        if (label >= 0 && label < grouped.groups()) {
            return (int) label;
        }
        if (grouped.function().strict()) {
            throw new IndexOutOfBoundsException("index " + label + " is out of bounds for dimension " + grouped.dim()
                    + " with size " + grouped.groups());
        }
        return -1;
    }

    /** Accumulators of nothing, of {@code columns} columns of each group. */
    public Object none(int columns) {
        Object none = WideElements.allocate(dtype, groups * columns);
        clear(none, groups * columns);
        return none;
    }

    /** Makes the first accumulators those of nothing. */
    public void clear(Object accumulators, int count) {
        if (accumulators instanceof double[] doubles) {
            double none = switch (kind) {
                case SUM -> 0;
                case PROD -> 1;
                case MIN -> Double.POSITIVE_INFINITY;
                default -> Double.NEGATIVE_INFINITY;
            };
            Arrays.fill(doubles, 0, count, none);
        } else {
            long bits = dtype.bytes() * (long) Byte.SIZE;
            long greatest =
                    dtype == DType.BOOL ? 1 : dtype.isSigned() ? -1L >>> Long.SIZE - bits + 1 : (1L << bits) - 1;
            long none = switch (kind) {
                case SUM -> 0;
                case PROD -> 1;
                case MIN -> greatest;
                default -> dtype.isSigned() ? -greatest - 1 : 0;
            };
            Arrays.fill((long[]) accumulators, 0, count, none);
        }
    }

    /**
     * Joins rows of some columns of a matrix, {@link #panelColumns} at most.
     *
     * @param first the box of rows and columns: where it begins
     * @param sizes its sizes
     * @param accumulators of the groups, one behind the other
     * @param at where the accumulators of the first group and the first of the columns are
     * @param stride from a group to the next one
     */
    public void join(Box first, Box sizes, Object accumulators, int at, int stride) {
        int width = (int) sizes.column();
        int tileRows = Math.max(1, TILE_ELEMENTS / width);
        long end = first.row() + sizes.row();
        for (long row = first.row(); row < end; row += tileRows) {
            Box from = new Box(first.matrix(), row, first.column());
            Box part = new Box(1, Math.min(tileRows, end - row), width);
            reader.read(from, part, stored);
            WideElements.read(dtype, stored, part.elements(), tile);
            if (common == null) {
                joinEach(from, part, accumulators, at, stride);
                continue;
            }
            for (int i = 0; i < part.row(); i++) {
                int group = common[(int) row + i];
                if (group >= 0) {
                    join(i * width, accumulators, at + group * stride, width);
                }
            }
        }
    }

    private void joinEach(Box first, Box sizes, Object accumulators, int at, int stride) {
        int width = (int) sizes.column();
        long[] named = new long[sizes.elements()];
        labels.read(first, sizes, named);
        for (int i = 0; i < named.length; i++) {
            int group = group(grouped, named[i]);
            if (group >= 0) {
                join(i, accumulators, at + group * stride + i % width, 1);
            }
        }
    }

    private void join(int from, Object accumulators, int to, int count) {
        if (accumulators instanceof double[] doubles) {
            join(kind, (double[]) tile, from, doubles, to, count);
        } else {
            join(kind, (long[]) tile, from, (long[]) accumulators, to, count);
        }
    }

    private static void join(Kind kind, double[] values, int from, double[] sums, int to, int count) {
        switch (kind) {
            case SUM -> {
                for (int c = 0; c < count; c++) {
                    sums[to + c] += values[from + c];
                }
            }
            case PROD -> {
                for (int c = 0; c < count; c++) {
                    sums[to + c] *= values[from + c];
                }
            }
            case MIN -> {
                for (int c = 0; c < count; c++) {
                    sums[to + c] = Math.min(sums[to + c], values[from + c]);
                }
            }
            default -> {
                for (int c = 0; c < count; c++) {
                    sums[to + c] = Math.max(sums[to + c], values[from + c]);
                }
            }
        }
    }

    private static void join(Kind kind, long[] values, int from, long[] sums, int to, int count) {
        for (int c = 0; c < count; c++) {
            long sum = sums[to + c];
            long value = values[from + c];
            sums[to + c] = switch (kind) {
                case SUM -> sum + value;
                case PROD -> sum * value;
                case MIN -> Math.min(sum, value);
                default -> Math.max(sum, value);
            };
        }
    }
}
