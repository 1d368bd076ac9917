package io.github.broadloom.cpu;

import io.github.broadloom.cpu.memory.MatrixReader.Box;

/** Scans lines side by side, row by row, in panels of so many columns that the rows of the stack stay in the cache. */
final class RowScanner implements ScanPass.Scanner {
    private static final long MOST_COLUMNS = 256;

    /** Rows that are read together where the columns lie apart, so that what lies between them is read once. */
    private static final int ROWS_AT_ONCE = 8;

    private final ScanPass pass;
    private final int threads;
    private final int panelColumns;
    private final int tileRows;
    private final Object tile;
    private final Object stored;
    private final RowStack whole;

    RowScanner(ScanPass pass, int threads) {
        this.pass = pass;
        this.threads = threads;
        long fair = (pass.matrices() * pass.columns() + threads - 1) / threads;
        this.panelColumns = (int) Math.min(pass.columns(), Math.min(MOST_COLUMNS, Math.max(MOST_COLUMNS / 4, fair)));
        this.tileRows = pass.columnsLieTogether() ? 1 : (int) Math.min(pass.rows(), ROWS_AT_ONCE);
        this.tile = pass.dtype().primitive().newArray(tileRows * panelColumns);
        this.stored = tileRows == 1 ? tile : pass.dtype().primitive().newArray(panelColumns);
        this.whole = stack(panelColumns);
    }

    private RowStack stack(int columns) {
        int components = pass.accumulators().components();
        return new RowStack(pass.loops(), pass.accumulators(), columns * components);
    }

    @Override
    public RowScanner fresh() {
        return new RowScanner(pass, threads);
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
            panel(piece / panels(), column, (int) Math.min(panelColumns, pass.columns() - column));
        }
    }

    private void panel(long matrix, long column, int columns) {
        RowStack stack = columns == panelColumns ? whole : stack(columns);
        stack.begin(pass.carry(), (int) column * pass.accumulators().components());
        for (long row = 0; row < pass.rows(); row += tileRows) {
            int rows = (int) Math.min(tileRows, pass.rows() - row);
            pass.source().read(new Box(matrix, row, column), new Box(1, rows, columns), tile);
            for (int i = 0; i < rows; i++) {
                if (tileRows > 1) {
                    System.arraycopy(tile, i * columns, stored, 0, columns);
                }
                long place = (matrix * pass.rows() + row + i) * pass.columns() + column;
                pass.lift(stored, columns, place, stack.row());
                pass.store(stack.prefix(), columns, place);
            }
        }
    }
}
