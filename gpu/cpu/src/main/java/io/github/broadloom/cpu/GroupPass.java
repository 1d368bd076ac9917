package io.github.broadloom.cpu;

import io.github.broadloom.cpu.memory.MatrixReader;
import io.github.broadloom.cpu.memory.MatrixReader.Box;
import io.github.broadloom.cpu.reduce.OrderStatistics;
import io.github.broadloom.cpu.reduce.WideElements;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Grouped.Kind;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reduces groups of indices along one dimension. With the sizes before it and after it multiplied, the tensor is a row of matrices, whose rows are grouped: a panel of columns
 * at a time, so that what is accumulated stays in the cache.
 */
final class GroupPass implements Parallel.Worker {
    /** What a panel accumulates. */
    private static final long PANEL_ELEMENTS = 1 << 15;

    /** What is read at a time. */
    private static final int TILE_ELEMENTS = 1 << 13;

    private static final int MOST_ROWS = Integer.MAX_VALUE - 8;

    private final Grouped grouped;
    private final DType dtype;
    private final MatrixReader reader;
    private final long rows;
    private final long columns;
    private final int groups;
    private final int panelColumns;

    /** Of all lines, the group of each index; of lines that differ, null. */
    private final int @Nullable [] common;

    private final MatrixReader labels;
    private final Tensor result;
    private final Object stored;
    private final Object tile;
    private final Object sums;

    private GroupPass(
            Grouped grouped, Tensor source, Tensor labels, int @Nullable [] common, int panelColumns, Tensor result) {
        this.grouped = grouped;
        this.dtype = source.dtype();
        this.reader = new MatrixReader(source);
        this.rows = source.shape().size(1);
        this.columns = source.shape().size(2);
        this.groups = (int) grouped.groups();
        this.panelColumns = panelColumns;
        this.common = common;
        this.labels = new MatrixReader(labels);
        this.result = result;
        boolean joins = grouped.function().kind().joins();
        int tileElements = joins ? Math.max(TILE_ELEMENTS, panelColumns) : (int) rows;
        this.stored = dtype.primitive().newArray(tileElements);
        this.tile = WideElements.allocate(dtype, tileElements);
        this.sums = WideElements.allocate(dtype, joins ? groups * panelColumns : (int) rows);
        MemoryMeter.array((long) Long.BYTES * (joins ? (long) groups * panelColumns : 2 * rows));
    }

    /** A fresh contiguous tensor with the results. */
    static Tensor run(Grouped grouped, Tensor operand, Tensor told, int threads) {
        Tensor result = Tensors.empty(grouped.dtype(), grouped.shape());
        if (result.numel() == 0) {
            return result;
        }
        int dim = grouped.dim();
        long rows = operand.shape().size(dim);
        if (grouped.groups() > MOST_ROWS || rows > MOST_ROWS) {
            throw new IllegalArgumentException("Cannot compute " + grouped + ": its lines of " + rows
                    + " values or its groups do not fit in an array; go along a shorter dimension");
        }
        long columns = 1;
        for (int d = dim + 1; d < operand.rank(); d++) {
            columns *= operand.shape().size(d);
        }
        long matrices = result.numel() / (grouped.groups() * columns);
        Tensor source = operand.reshape(matrices, rows, columns);
        boolean isOfSegments = grouped.by() == Grouped.By.LENGTHS;
        boolean isCommon = isOfSegments || told.numel() == rows;
        Tensor names = isCommon
                ? told.reshape(1, told.numel(), 1)
                : told.expand(operand.shape().toArray()).reshape(matrices, rows, columns);
        try {
            int @Nullable [] common = isOfSegments
                    ? ofSegments(new MatrixReader(names), grouped, rows)
                    : isCommon ? read(grouped, new MatrixReader(names), new Box(0, 0, 0), rows) : null;
            boolean joins = grouped.function().kind().joins();
            int panel = joins ? (int) Math.min(columns, Math.max(1, PANEL_ELEMENTS / grouped.groups())) : 1;
            long pieces = matrices * ((columns + panel - 1) / panel);
            long grain = Math.max(1, PANEL_ELEMENTS / Math.max(1, rows * panel));
            Parallel.forRanges(
                    threads,
                    pieces,
                    Parallel.rangeLength(threads, pieces, grain),
                    () -> new GroupPass(grouped, source, names, common, panel, result));
            return result;
        } catch (RuntimeException | Error e) {
            result.release();
            throw e;
        } finally {
            source.releaseCopyOf(operand);
            names.releaseCopyOf(told);
        }
    }

    /** The groups of the indices of every line. */
    private static int[] ofSegments(MatrixReader lengths, Grouped grouped, long rows) {
        long[] read = new long[(int) grouped.groups()];
        lengths.read(new Box(0, 0, 0), new Box(1, read.length, 1), read);
        int[] found = new int[(int) rows];
        long end = 0;
        for (int group = 0; group < read.length; group++) {
            long start = end;
            end += read[group];
            if (read[group] < 0 || end > rows) {
                break;
            }
            Arrays.fill(found, (int) start, (int) end, group);
        }
        if (end != rows) {
            throw new IllegalArgumentException("Cannot compute " + grouped + ": its segments do not come to the " + rows
                    + " indices along dimension " + grouped.dim());
        }
        return found;
    }

    /** The groups of the indices of a line; -1 where there is none. */
    private static int[] read(Grouped grouped, MatrixReader labels, Box first, long rows) {
        long[] read = new long[(int) rows];
        labels.read(first, new Box(1, rows, 1), read);
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

    @Override
    public void run(long first, long end) {
        long panels = (columns + panelColumns - 1) / panelColumns;
        for (long piece = first; piece < end; piece++) {
            long matrix = piece / panels;
            long column = piece % panels * panelColumns;
            if (grouped.function().kind().joins()) {
                join(matrix, column, (int) Math.min(panelColumns, columns - column));
            } else {
                order(matrix, column);
            }
        }
    }

    private void join(long matrix, long column, int width) {
        Kind kind = grouped.function().kind();
        begin(kind, groups * width);
        int tileRows = Math.max(1, TILE_ELEMENTS / width);
        for (long row = 0; row < rows; row += tileRows) {
            int height = (int) Math.min(tileRows, rows - row);
            reader.read(new Box(matrix, row, column), new Box(1, height, width), stored);
            WideElements.read(dtype, stored, height * width, tile);
            if (common != null) {
                for (int i = 0; i < height; i++) {
                    int group = common[(int) row + i];
                    if (group >= 0) {
                        join(kind, i * width, group * width, width);
                    }
                }
            } else {
                joinEach(kind, matrix, row, column, height, width);
            }
        }
        for (int group = 0; group < groups; group++) {
            WideElements.write(sums, group * width, 1, width, grouped.dtype(), address(matrix, group, column));
        }
    }

    private long address(long matrix, long group, long column) {
        long element = (matrix * groups + group) * columns + column;
        return result.address() + element * grouped.dtype().bytes();
    }

    private void joinEach(Kind kind, long matrix, long row, long column, int height, int width) {
        long[] named = new long[height * width];
        labels.read(new Box(matrix, row, column), new Box(1, height, width), named);
        for (int i = 0; i < named.length; i++) {
            int group = group(grouped, named[i]);
            if (group >= 0) {
                join(kind, i, group * width + i % width, 1);
            }
        }
    }

    private void begin(Kind kind, int count) {
        if (sums instanceof double[] doubles) {
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
            Arrays.fill((long[]) sums, 0, count, none);
        }
    }

    private void join(Kind kind, int from, int to, int count) {
        if (sums instanceof double[] doubles) {
            join(kind, (double[]) tile, from, doubles, to, count);
        } else {
            join(kind, (long[]) tile, from, (long[]) sums, to, count);
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

    /** An order statistic of the groups of one line. */
    private void order(long matrix, long column) {
        int[] group = common != null ? common : read(grouped, labels, new Box(matrix, 0, column), rows);
        reader.read(new Box(matrix, 0, column), new Box(1, rows, 1), stored);
        WideElements.read(dtype, stored, (int) rows, tile);
        int[] order = ofGroups(group);
        Object one = WideElements.allocate(grouped.dtype(), 1);
        for (int g = 0, start = 0; g < groups; g++) {
            int end = start;
            while (end < order.length && group[order[end]] == g) {
                copy(order[end], end - start);
                end++;
            }
            statistic(end - start, one);
            WideElements.write(one, 0, 1, 1, grouped.dtype(), address(matrix, g, column));
            start = end;
        }
    }

    /** The indices that are of a group, those of the first group first. */
    private int[] ofGroups(int[] group) {
        int[] starts = new int[groups + 1];
        for (int g : group) {
            if (g >= 0) {
                starts[g + 1]++;
            }
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int[] order = new int[starts[groups]];
        for (int i = 0; i < group.length; i++) {
            if (group[i] >= 0) {
                order[starts[group[i]]++] = i;
            }
        }
        return order;
    }

    private void copy(int from, int to) {
        if (sums instanceof double[] doubles) {
            doubles[to] = ((double[]) tile)[from];
        } else {
            ((long[]) sums)[to] = ((long[]) tile)[from];
        }
    }

    private void statistic(int count, Object one) {
        if (count == 0) {
            if (one instanceof double[] doubles) {
                doubles[0] = Double.NaN;
            } else {
                ((long[]) one)[0] = 0;
            }
        } else if (grouped.function().kind() == Kind.MEDIAN) {
            OrderStatistics.median(grouped.function().line().kind(), sums, count, one);
        } else {
            OrderStatistics.quantile(grouped.function().line(), dtype, (double[]) sums, count, (double[]) one);
        }
    }
}
