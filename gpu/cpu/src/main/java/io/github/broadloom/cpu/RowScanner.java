package io.github.broadloom.cpu;

import io.github.broadloom.cpu.memory.MatrixReader.Box;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.PairwiseTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Scans lines side by side, row by row, in panels of so many columns that the rows of the stack stay in the cache. */
final class RowScanner implements ScanPass.Scanner {
    private static final long MOST_COLUMNS = 256;

    /** Rows that are read together where the columns lie apart, so that what lies between them is read once. */
    private static final int ROWS_AT_ONCE = 8;

    private final ScanPass pass;
    private final int components;
    private final int panelColumns;
    private final int tileRows;
    private final Object tile;
    private final Object stored;
    private final Rows whole;

    RowScanner(ScanPass pass, int threads) {
        this.pass = pass;
        this.components = pass.accumulators().components();
        long fair = (pass.matrices() * pass.columns() + threads - 1) / threads;
        this.panelColumns = (int) Math.min(pass.columns(), Math.min(MOST_COLUMNS, Math.max(MOST_COLUMNS / 4, fair)));
        boolean isOneRun = pass.source().layout().stride(2) == 1; // a row in memory
        this.tileRows = isOneRun ? 1 : (int) Math.min(pass.rows(), ROWS_AT_ONCE);
        this.tile = pass.dtype().primitive().newArray(tileRows * panelColumns);
        this.stored = tileRows == 1 ? tile : pass.dtype().primitive().newArray(panelColumns);
        this.whole = new Rows(panelColumns);
    }

    private long panels() {
        return (pass.columns() + panelColumns - 1) / panelColumns;
    }

    @Override
    public long pieces() {
        return pass.matrices() * panels();
    }

    @Override
    public long pieceElements() {
        return pass.rows() * panelColumns;
    }

    @Override
    public void run(long first, long end) {
        for (long piece = first; piece < end; piece++) {
            long column = piece % panels() * panelColumns;
            int columns = (int) Math.min(panelColumns, pass.columns() - column);
            panel(piece / panels(), column, columns, columns == panelColumns ? whole : new Rows(columns));
        }
    }

    private void panel(long matrix, long column, int columns, Rows lines) {
        lines.begin((int) column);
        for (long row = 0; row < pass.rows(); row += tileRows) {
            int rows = (int) Math.min(tileRows, pass.rows() - row);
            pass.reader().read(new Box(matrix, row, column), new Box(1, rows, columns), tile);
            for (int i = 0; i < rows; i++) {
                if (tileRows > 1) {
                    System.arraycopy(tile, i * columns, stored, 0, columns);
                }
                long place = (matrix * pass.rows() + row + i) * pass.columns() + column;
                Object values = lines.vector();
                pass.lift(stored, columns, place, values);
                pass.store(lines.prefix(values), columns, place);
            }
        }
    }

    /** What is kept of lines side by side as the scan goes from row to row: the blocks of the rows so far, and for each the prefix that ends with it. */
    private final class Rows {
        private final int width;
        private final PairwiseTree blocks = new PairwiseTree((left, right, before, after) -> joined(left, right));
        private final List<Object> prefixes = new ArrayList<>();
        private final Deque<Object> free = new ArrayDeque<>();
        private int below;
        private long row;

        Rows(int columns) {
            this.width = columns * components;
        }

        private Object joined(Object left, Object right) {
            pass.loops().join(left, right, left, width);
            free.push(right);
            return left;
        }

        /** New lines, the first of which is that column. */
        void begin(int column) {
            blocks.takeAll().forEach(node -> free.push(node.values()));
            free.addAll(prefixes);
            prefixes.clear();
            row = pass.carry().counter();
            List<Object> carried = pass.carry().vectors();
            below = carried.size() - Long.bitCount(row);
            long left = row;
            for (int i = 0; i < carried.size(); i++) {
                Object vector = vector();
                System.arraycopy(carried.get(i), column * components, vector, 0, width);
                if (i < below) {
                    prefixes.add(vector);
                } else {
                    long block = Long.highestOneBit(left);
                    int level = Long.numberOfTrailingZeros(block);
                    push(new FoldNode(level, (row - left) >> level, vector));
                    left -= block;
                }
            }
        }

        /** A vector for the next row. */
        Object vector() {
            Object vector = free.poll();
            return vector == null ? pass.accumulators().allocate(width) : vector;
        }

        /** The prefix of the next row, valid until the one after it. */
        Object prefix(Object values) {
            if (pass.accumulators().isExact() && prefixes.size() == 1) { // in any order, so one after the other
                Object prefix = prefixes.get(0);
                pass.loops().join(prefix, values, prefix, width);
                free.push(values);
                return prefix;
            }
            return push(new FoldNode(0, row++, values));
        }

        private Object push(FoldNode node) {
            blocks.push(node);
            int top = below + blocks.size() - 1;
            while (prefixes.size() <= top) {
                prefixes.add(vector());
            }
            Object prefix = prefixes.get(top);
            Object block = blocks.last().values();
            if (top == 0) {
                System.arraycopy(block, 0, prefix, 0, width);
            } else {
                pass.loops().join(prefixes.get(top - 1), block, prefix, width);
            }
            return prefix;
        }
    }
}
