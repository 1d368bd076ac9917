package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.FoldForm.Leaf;
import io.github.broadloom.cuda.code.FoldSource.Operand;
import java.util.List;
import java.util.Optional;

/**
 * A fold of operands that expand each other, such as {@code ((a[n, 1, k] - b[1, m, k]) ** 2).sum(-1)}: the two innermost loops over
 * lines are the rows and columns of a matrix of results, and no operand varies over both. A block computes a tile of that matrix. It
 * brings what it needs of each operand into shared memory once, and a thread takes from there what {@value #ROWS} by {@value #COLUMNS}
 * results have in common.
 *
 * @param steps values along the lines that are in shared memory at a time
 */
record TileFold(FoldSource source, FoldType type, int steps) {
    static final int ROWS = 4;

    static final int COLUMNS = 2;

    /** Threads of a block along the rows of a tile, and along its columns. So small a block leaves registers for others. */
    static final int ROW_THREADS = 8;

    static final int COLUMN_THREADS = 16;

    /** Values that make the first node: one loop of the kernel. */
    static final int GROUP = 8;

    /** Each result has a stack of its own, of which so many levels are in registers: what is above them comes once in 32 values. */
    static final int STACK_LEVELS = 5;

    /** The levels above are in local memory, by the dozen of lengths, so that there are fewer kernels. */
    private static final int REST_LEVELS = 4;

    private static final int MOST_STEPS = 32;

    /** With so little of shared memory several blocks share a multiprocessor, on any GPU. */
    private static final int COMFORTABLE_BYTES = 24 << 10;

    /** Puts the lines of a tile into different banks of shared memory, and keeps them aligned. */
    private static final int PADDING = 4;

    /** Fewer results are not enough for all multiprocessors. */
    private static final long FEWEST_LINES = 1 << 12;

    private static final int MOST_LOOPS = 3;

    static Optional<TileFold> of(FoldSource source, FoldType type, Leaf leaf) {
        int loops = source.keptSizes().length;
        boolean hasTiles = leaf == Leaf.VALUE
                && type.hasOneAccumulator()
                && !type.isMoments()
                && loops >= 2
                && loops <= MOST_LOOPS
                && source.foldedSizes().length == 1
                && source.lines() >= FEWEST_LINES;
        if (!hasTiles) {
            return Optional.empty();
        }
        TileFold fold = new TileFold(source, type, MOST_STEPS).fitted();
        boolean suits = fold.rows() >= ROW_THREADS * ROWS
                && fold.columns() >= COLUMN_THREADS * COLUMNS
                && fold.sharedBytes() <= TransposePlan.SHARED_BYTES
                && fold.expands()
                && !source.mayFail(); // what lies beyond the matrix is filled up, and must not set the error flag
        return suits ? Optional.of(fold) : Optional.empty();
    }

    /** The same with as many steps, in whole groups, as the operands leave room for. */
    private TileFold fitted() {
        boolean fits = sharedBytes() <= COMFORTABLE_BYTES || steps == GROUP;
        return fits ? this : new TileFold(source, type, steps / 2).fitted();
    }

    private int sharedBytes() {
        return source.operands().stream()
                .filter(TileFold::isTile)
                .mapToInt(operand -> steps * pitch(operand) * operand.bytes())
                .sum();
    }

    /** How far one step of an operand lies behind another in shared memory, in elements. */
    int pitch(Operand operand) {
        int lines = tileLines(operand);
        return lines == 1 ? 1 : lines + PADDING;
    }

    /** Whether there are rows and columns to be kept in shared memory, and nothing that is both. */
    private boolean expands() {
        List<Operand> operands = source.operands();
        return operands.stream().noneMatch(operand -> rowStep(operand) != 0 && columnStep(operand) != 0)
                && operands.stream().anyMatch(operand -> isTile(operand) && rowStep(operand) != 0)
                && operands.stream().anyMatch(operand -> isTile(operand) && columnStep(operand) != 0);
    }

    /** Whether an operand varies along the lines, so that it goes through shared memory. */
    static boolean isTile(Operand operand) {
        return operand.innermost(true) != 0;
    }

    /** What holds for an operand that varies over the rows, over the columns, or over neither. */
    <T> T over(Operand operand, T rows, T columns, T neither) {
        return rowStep(operand) != 0 ? rows : columnStep(operand) != 0 ? columns : neither;
    }

    int tileLines(Operand operand) {
        return over(operand, ROW_THREADS * ROWS, COLUMN_THREADS * COLUMNS, 1);
    }

    private int loop(int fromInnermost) {
        return source.keptSizes().length - 1 - fromInnermost;
    }

    long rowStep(Operand operand) {
        return operand.kept()[loop(1)];
    }

    long columnStep(Operand operand) {
        return operand.kept()[loop(0)];
    }

    long matrixStep(Operand operand) {
        return operand.kept().length == MOST_LOOPS ? operand.kept()[0] : 0;
    }

    long rows() {
        return source.keptSizes()[loop(1)];
    }

    long columns() {
        return source.keptSizes()[loop(0)];
    }

    long matrices() {
        return source.keptSizes().length == MOST_LOOPS ? source.keptSizes()[0] : 1;
    }

    long rowTiles() {
        return CudaLaunch.ceilDiv(rows(), ROW_THREADS * ROWS);
    }

    long columnTiles() {
        return CudaLaunch.ceilDiv(columns(), COLUMN_THREADS * COLUMNS);
    }

    /** How many levels of a stack are not in registers: at least one for each binary digit of a line's length that is above those. */
    int restLevels() {
        int digits = Long.SIZE - Long.numberOfLeadingZeros(source.length());
        return Math.max(1, (digits - STACK_LEVELS + REST_LEVELS - 1) / REST_LEVELS) * REST_LEVELS;
    }

    boolean hasRest() {
        return source.length() % GROUP != 0;
    }
}
