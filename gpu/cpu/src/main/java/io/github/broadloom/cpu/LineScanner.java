package io.github.broadloom.cpu;

import io.github.broadloom.cpu.memory.MatrixReader.Box;

/** Scans lines one by one in tiles, which hold some whole matrices or some rows of one. */
final class LineScanner implements ScanPass.Scanner {
    /** Stored elements and accumulators fit in the first-level cache together. */
    private static final int TILE_ELEMENTS = 1024;

    private final ScanPass pass;
    private final int columns;
    private final int tileRows;
    private final int tileMatrices;
    private final Object stored;
    private final Object values;
    private final LineStack[] stacks;

    LineScanner(ScanPass pass) {
        this.pass = pass;
        this.columns = (int) pass.columns();
        this.tileRows = (int) Math.min(pass.rows(), TILE_ELEMENTS / columns);
        int fitting = TILE_ELEMENTS / (tileRows * columns);
        this.tileMatrices = tileRows < pass.rows() ? 1 : (int) Math.min(pass.matrices(), fitting);
        int elements = tileMatrices * tileRows * columns;
        this.values =
                pass.accumulators().allocate(elements * pass.accumulators().components());
        this.stored = pass.accumulators().areElements(pass.dtype())
                ? values
                : pass.dtype().primitive().newArray(elements);
        this.stacks = new LineStack[columns];
        for (int column = 0; column < columns; column++) {
            stacks[column] = new LineStack(pass.loops(), pass.accumulators());
        }
    }

    @Override
    public LineScanner fresh() {
        return new LineScanner(pass);
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
        pass.source().read(new Box(matrix, row, 0), sizes, stored);
        int count = sizes.elements();
        long place = (matrix * pass.rows() + row) * columns;
        if (stored != values) {
            pass.lift(stored, count, place, values);
        }
        int components = pass.accumulators().components();
        for (int i = 0; i < matrices; i++) {
            for (int column = 0; column < columns; column++) {
                LineStack stack = stacks[column];
                if (row == 0) {
                    stack.begin(pass.carry(), column);
                }
                stack.pass(values, (i * rows * columns + column) * components, columns * components, rows);
            }
        }
        pass.store(values, count, place);
    }
}
