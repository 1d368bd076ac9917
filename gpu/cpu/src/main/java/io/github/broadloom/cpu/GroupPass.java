package io.github.broadloom.cpu;

import io.github.broadloom.cpu.memory.MatrixReader;
import io.github.broadloom.cpu.memory.MatrixReader.Box;
import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.cpu.reduce.GroupRows;
import io.github.broadloom.cpu.reduce.OrderStatistics;
import io.github.broadloom.cpu.reduce.WideElements;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Grouped.Kind;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.PairwiseTree;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reduces groups of indices along one dimension. With the sizes before it and after it multiplied, the tensor is a row of matrices, whose rows are grouped: what joins by {@link GroupRows},
 * and order statistics line by line.
 */
final class GroupPass {
    private static final int MOST_ROWS = Integer.MAX_VALUE - 8;

    private final Grouped grouped;
    private final Tensor source;
    private final Tensor labels;
    private final Tensor result;
    private final long rows;
    private final long columns;
    private final int groups;

    /** Of all lines, the group of each index; of lines that differ, null. */
    private final int @Nullable [] common;

    /** Among the indices of all segments. */
    private final long firstRow;

    private GroupPass(Grouped grouped, Tensor source, Tensor told, Tensor result) {
        this.grouped = grouped;
        this.source = source;
        this.labels = told;
        this.result = result;
        this.rows = source.shape().size(1);
        this.columns = source.shape().size(2);
        this.groups = (int) grouped.groups();
        if (grouped.by() == Grouped.By.ENDS) {
            long[] ends = new long[groups];
            new MatrixReader(told).read(new Box(0, 0, 0), new Box(1, groups, 1), ends);
            this.firstRow = ends[groups - 1] - rows;
            this.common = ofSegments(ends);
        } else {
            this.firstRow = 0;
            this.common = told.numel() == rows ? GroupRows.groups(grouped, told, 0, 0, rows) : null;
        }
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
        boolean isCommon = grouped.by() == Grouped.By.ENDS || told.numel() == rows;
        Tensor names = isCommon
                ? told.reshape(1, told.numel(), 1)
                : told.expand(operand.shape().toArray()).reshape(matrices, rows, columns);
        try {
            new GroupPass(grouped, source, names, result).run(matrices, threads);
            return result;
        } catch (RuntimeException | Error e) {
            result.release();
            throw e;
        } finally {
            source.releaseCopyOf(operand);
            names.releaseCopyOf(told);
        }
    }

    private void run(long matrices, int threads) {
        boolean joins = grouped.function().kind().joins();
        int panel = joins ? GroupRows.panelColumns(grouped, columns) : 1;
        long pieces = matrices * ((columns + panel - 1) / panel);
        long grain = Math.max(1, GroupRows.PANEL_ELEMENTS / Math.max(1, rows * panel));
        Parallel.forRanges(
                threads,
                pieces,
                Parallel.rangeLength(threads, pieces, grain),
                () -> joins ? new Joined(panel) : new Ordered());
    }

    /** The groups of the indices of every line. */
    private int[] ofSegments(long[] ends) {
        int[] found = new int[(int) rows];
        long start = firstRow;
        for (int group = 0; group < groups; group++) {
            if (ends[group] < start) {
                throw new IllegalArgumentException("Cannot compute " + grouped + ": its segments do not come to the "
                        + rows + " indices along dimension " + grouped.dim());
            }
            Arrays.fill(found, (int) (start - firstRow), (int) (ends[group] - firstRow), group);
            start = ends[group];
        }
        return found;
    }

    private long address(long matrix, long group, long column) {
        long element = (matrix * groups + group) * columns + column;
        return result.address() + element * grouped.dtype().bytes();
    }

    /** What is put together from any parts of a group, in panels of columns. */
    private final class Joined implements Parallel.Worker {
        private final int panelColumns;
        private final GroupRows joined;
        private final Object sums;

        Joined(int panelColumns) {
            this.panelColumns = panelColumns;
            this.joined = new GroupRows(grouped, source, labels, common);
            this.sums = joined.none(panelColumns);
            MemoryMeter.array((long) Long.BYTES * groups * panelColumns);
        }

        @Override
        public void run(long first, long end) {
            long panels = (columns + panelColumns - 1) / panelColumns;
            for (long piece = first; piece < end; piece++) {
                long column = piece % panels * panelColumns;
                int width = (int) Math.min(panelColumns, columns - column);
                write(piece / panels, column, width);
            }
        }

        private void write(long matrix, long column, int width) {
            Object all = sums;
            if (grouped.function().blockEnd(firstRow, firstRow + rows) == firstRow + rows) {
                join(matrix, 0, rows, column, width);
            } else {
                all = ofBlocks(matrix, column, width);
            }
            for (int group = 0; group < groups; group++) {
                WideElements.write(all, group * width, 1, width, grouped.dtype(), address(matrix, group, column));
            }
        }

        private void join(long matrix, long row, long end, long column, int width) {
            joined.clear(sums, groups * width);
            joined.join(new Box(matrix, row, column), new Box(1, end - row, width), sums, 0, width);
        }

        private Object ofBlocks(long matrix, long column, int width) {
            int count = groups * width;
            Accumulators accumulators = Accumulators.of(grouped.overBlocks());
            PairwiseTree tree = new PairwiseTree((left, right, leftBlocks, rightBlocks) -> {
                accumulators.combine(left, 0, right, 0, count, leftBlocks, rightBlocks);
                return left;
            });
            for (long row = 0; row < rows; ) {
                long end = grouped.function().blockEnd(firstRow + row, firstRow + rows) - firstRow;
                join(matrix, row, end, column, width);
                FoldNode block = new FoldNode(0, grouped.function().blockOf(firstRow + row), sums);
                tree.push(block.copy());
                row = end;
            }
            return tree.joinFromLeft();
        }
    }

    /** Order statistics of the groups of one line at a time. */
    private final class Ordered implements Parallel.Worker {
        private final MatrixReader reader = new MatrixReader(source);
        private final Object stored = source.dtype().primitive().newArray((int) rows);
        private final Object line = WideElements.allocate(source.dtype(), (int) rows);
        private final Object ofGroup = WideElements.allocate(source.dtype(), (int) rows);

        Ordered() {
            MemoryMeter.array(2 * Long.BYTES * rows);
        }

        @Override
        public void run(long first, long end) {
            for (long piece = first; piece < end; piece++) {
                order(piece / columns, piece % columns);
            }
        }

        private void order(long matrix, long column) {
            int[] group = common != null ? common : GroupRows.groups(grouped, labels, matrix, column, rows);
            reader.read(new Box(matrix, 0, column), new Box(1, rows, 1), stored);
            WideElements.read(source.dtype(), stored, (int) rows, line);
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
            if (ofGroup instanceof double[] doubles) {
                doubles[to] = ((double[]) line)[from];
            } else {
                ((long[]) ofGroup)[to] = ((long[]) line)[from];
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
                OrderStatistics.median(grouped.function().line().kind(), ofGroup, count, one);
            } else {
                OrderStatistics.quantile(
                        grouped.function().line(), source.dtype(), (double[]) ofGroup, count, (double[]) one);
            }
        }
    }
}
