package io.github.broadloom.cpu;

import io.github.broadloom.cpu.memory.MatrixReader.Box;
import io.github.broadloom.cpu.reduce.ScanLoops;

/** Scans lines one by one in tiles, which hold some whole matrices or some rows of one. */
final class LineScanner implements ScanPass.Scanner {
    /** Stored elements and accumulators fit in the first-level cache together. */
    private static final int TILE_ELEMENTS = 1024;

    private final ScanPass pass;
    private final int components;
    private final int columns;
    private final int tileRows;
    private final int tileMatrices;
    private final Object stored;
    private final Object values;
    private final Line[] lines;

    LineScanner(ScanPass pass) {
        this.pass = pass;
        this.components = pass.accumulators().components();
        this.columns = (int) pass.columns();
        this.tileRows = (int) Math.min(pass.rows(), TILE_ELEMENTS / columns);
        int fitting = TILE_ELEMENTS / (tileRows * columns);
        this.tileMatrices = tileRows < pass.rows() ? 1 : (int) Math.min(pass.matrices(), fitting);
        int elements = tileMatrices * tileRows * columns;
        this.values = pass.accumulators().allocate(elements * components);
        this.stored = pass.accumulators().areElements(pass.dtype())
                ? values
                : pass.dtype().primitive().newArray(elements);
        this.lines = new Line[columns];
        for (int column = 0; column < columns; column++) {
            lines[column] = new Line(column);
        }
    }

    @Override
    public long pieces() {
        return (pass.matrices() + tileMatrices - 1) / tileMatrices;
    }

    @Override
    public long pieceElements() {
        return tileMatrices * pass.rows() * columns;
    }

    @Override
    public void run(long first, long end) {
        for (long piece = first; piece < end; piece++) {
            long matrix = piece * tileMatrices;
            int matrices = (int) Math.min(tileMatrices, pass.matrices() - matrix);
            for (long row = 0; row < pass.rows(); row += tileRows) {
                tile(matrix, matrices, row, (int) Math.min(tileRows, pass.rows() - row));
            }
        }
    }

    private void tile(long matrix, int matrices, long row, int rows) {
        Box sizes = new Box(matrices, rows, columns);
        pass.reader().read(new Box(matrix, row, 0), sizes, stored);
        int count = sizes.elements();
        long place = (matrix * pass.rows() + row) * columns;
        if (stored != values) {
            pass.lift(stored, count, place, values);
        }
        for (int i = 0; i < matrices; i++) {
            for (int column = 0; column < columns; column++) {
                if (row == 0) {
                    lines[column].begin();
                }
                lines[column].pass(values, (i * rows * columns + column) * components, columns * components, rows);
            }
        }
        pass.store(values, count, place);
    }

    /** What is kept of one line as the scan goes along: the stack that {@link ScanLoops} describes, of single accumulators. */
    private final class Line {
        private final int column;
        private final Object blocks = pass.accumulators().allocate(Long.SIZE * components);
        private final Object prefixes = pass.accumulators().allocate(Long.SIZE * components);
        private final Object carried = pass.accumulators().allocate(components);
        private int depth;
        private long row;

        Line(int column) {
            this.column = column;
        }

        void begin() {
            depth = 0;
            for (Object vector : pass.carry().vectors()) {
                System.arraycopy(vector, column * components, carried, 0, components);
                row = 0; // of which no block is joined with one before
                pass(carried, 0, components, 1);
            }
            row = pass.carry().counter();
        }

        /** Replaces the line's next values by their prefixes. */
        void pass(Object numbers, int from, int step, int count) {
            depth = pass.loops().line(numbers, from, step, count, blocks, prefixes, depth, row);
            row += count;
        }
    }
}
