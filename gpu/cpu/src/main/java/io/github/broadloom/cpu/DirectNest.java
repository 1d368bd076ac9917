package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.DirectKernel.Reach;
import io.github.broadloom.cpu.code.DirectKernelRenderer;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.LoopNest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A loop nest as rows that a kernel reads and writes where they lie. The elements of a row lie together in the result and in every
 * operand, but in those of which the row has one element, and in those that repeat a short pattern in it. The innermost of the
 * loops around goes from row to row. The result is the nest's last operand.
 */
final class DirectNest {
    /**
     * For fewer elements tiles do. A kernel of vectors is slow until the JIT compiler has got to it, one of loops never is;
     * and what fits the caches costs no more to copy into tiles.
     */
    private static final long FEWEST_ELEMENTS = 1 << 20;

    /** A shorter row costs more to begin than to compute. */
    private static final int FEWEST_COLUMNS = 64;

    /** Enough for the beginning of a row not to matter, and few enough for ranges of about equal length. */
    private static final int MOST_COLUMNS = 16384;

    /** A pattern is laid out for a whole row, which is to stay in the first-level cache. */
    private static final int MOST_COLUMNS_OF_PATTERNS = 2048;

    /** What repeats more elements is no pattern. */
    private static final int LONGEST_PATTERN = 64;

    /** A result that the processor's caches keep until it is read; a larger one goes to memory while it is computed. */
    private static final long MOST_CACHED_BYTES = 16 << 20;

    /** The elements of a vector. */
    static final int LANES = 8;

    private final LoopNest nest;
    private final int columnLoop;
    private final int inside;
    private final List<DType> dtypes;
    private final List<Access> accesses;
    private final int piece;
    private final long[] sizes;
    private final int lastPiece;

    private DirectNest(LoopNest nest, int columnLoop, List<DType> dtypes) {
        this.nest = nest;
        this.columnLoop = columnLoop;
        this.dtypes = dtypes;
        this.inside = (int) elements(columnLoop + 1);
        this.accesses =
                IntStream.range(0, nest.operands()).mapToObj(this::accessOf).toList();
        long size = nest.size(columnLoop);
        this.piece = piece(size);
        long pieces = (size + piece - 1) / piece;
        LongStream outer = IntStream.range(0, columnLoop).mapToLong(nest::size);
        this.sizes = pieces > 1 || columnLoop == 0
                ? LongStream.concat(outer, LongStream.of(pieces)).toArray()
                : outer.toArray();
        this.lastPiece = (int) (size - (pieces - 1) * piece);
    }

    /** Whether a nest has so many elements that a kernel of vectors is worth it. */
    static boolean isLarge(LoopNest nest) {
        return elements(nest, 0) >= FEWEST_ELEMENTS;
    }

    /** The iterations of the loops from one on. */
    private static long elements(LoopNest nest, int firstLoop) {
        return IntStream.range(firstLoop, nest.rank()).mapToLong(nest::size).reduce(1, Math::multiplyExact);
    }

    /** The rows that a program goes over, where it is one for them, and the nest has such. */
    static Optional<DirectNest> of(KernelSpec spec, LoopNest nest) {
        if (!DirectKernelRenderer.supports(spec)) {
            return Optional.empty();
        }
        int target = nest.operands() - 1;
        int columnLoop = nest.rank();
        long columns = 1;
        while (columnLoop > 0 && columns < FEWEST_COLUMNS) {
            columnLoop--;
            if (nest.stride(target, columnLoop) != columns) {
                return Optional.empty();
            }
            columns *= nest.size(columnLoop);
        }
        if (columns < FEWEST_COLUMNS) {
            return Optional.empty();
        }
        List<DType> dtypes = Stream.concat(
                        spec.operands().stream().map(KernelSpec.Operand::dtype), Stream.of(spec.dtype()))
                .toList();
        DirectNest direct = new DirectNest(nest, columnLoop, dtypes);
        boolean isReadable = IntStream.range(0, nest.operands())
                .allMatch(operand -> direct.accesses.get(operand) != Access.COLUMN || direct.isLaidOut(operand));
        boolean fits = isReadable && DirectKernelRenderer.supports(direct.over(spec));
        return fits ? Optional.of(direct) : Optional.empty();
    }

    /** Whether a pattern is worth laying out: once for many rows. To do so again for each takes longer than tiles do. */
    private boolean isLaidOut(int operand) {
        boolean isShort = isTogether(operand) || distinct(operand) <= LONGEST_PATTERN;
        return isShort && step(operand) == 0 && dtypes.get(operand) == DType.FLOAT32;
    }

    /** How the kernel of a program gets at the elements of a nest. */
    static Reach reach(KernelSpec spec, LoopNest nest) {
        boolean isCached = elements(nest, 0) * spec.dtype().bytes() <= MOST_CACHED_BYTES;
        return isCached || DirectKernelRenderer.isByPieces(spec) ? Reach.BY_PIECES : Reach.inPlace();
    }

    private long elements(int firstLoop) {
        return elements(nest, firstLoop);
    }

    /** How many elements of an operand the columns go over. */
    private long distinct(int operand) {
        return IntStream.range(columnLoop, nest.rank())
                .filter(loop -> nest.stride(operand, loop) != 0)
                .mapToLong(nest::size)
                .reduce(1, Math::multiplyExact);
    }

    private Access accessOf(int operand) {
        if (isTogether(operand)) {
            return isSameRow(operand) ? Access.COLUMN : Access.VARYING;
        }
        if (distinct(operand) == 1) {
            return Access.ROW;
        }
        return LANES % period(operand) == 0 ? Access.PERIOD : Access.COLUMN;
    }

    private boolean isTogether(int operand) {
        return IntStream.range(columnLoop, nest.rank())
                .allMatch(loop -> nest.stride(operand, loop) == elements(loop + 1));
    }

    /** Whether an operand is one row, short enough to stay in the first-level cache, for all rows of the innermost loop around. */
    private boolean isSameRow(int operand) {
        return columnLoop > 0
                && nest.stride(operand, columnLoop - 1) == 0
                && dtypes.get(operand) == DType.FLOAT32
                && elements(columnLoop) <= MOST_COLUMNS_OF_PATTERNS;
    }

    /** After how many columns an operand comes back to its first element, and goes on as from there. */
    private long period(int operand) {
        return IntStream.range(columnLoop, nest.rank())
                .filter(loop -> nest.stride(operand, loop) != 0)
                .mapToLong(this::elements)
                .findFirst()
                .orElse(1);
    }

    /** How many iterations of the column loop a row has. A pattern that goes on in it is so short that it is not cut. */
    private int piece(long size) {
        int columns = accesses.contains(Access.COLUMN) ? MOST_COLUMNS_OF_PATTERNS : MOST_COLUMNS;
        if (size * inside <= 2L * columns) {
            return (int) size;
        }
        int most = columns / inside / LANES * LANES;
        long pieces = (size + most - 1) / most;
        long even = (size + pieces - 1) / pieces;
        return (int) ((even + LANES - 1) / LANES * LANES);
    }

    int columns() {
        return piece * inside;
    }

    int lastColumns() {
        return lastPiece * inside;
    }

    long rows() {
        return Arrays.stream(sizes).reduce(1, Math::multiplyExact);
    }

    /** The rows of the innermost loop around. */
    long innerRows() {
        return sizes[sizes.length - 1];
    }

    /** From row to row of the innermost loop around, in elements. */
    long step(int operand) {
        return step(operand, sizes.length - 1);
    }

    private long step(int operand, int loop) {
        return loop == columnLoop ? nest.stride(operand, loop) * piece : nest.stride(operand, loop);
    }

    /** Where a row begins, in elements from the operand's first. */
    long offset(int operand, long row) {
        long offset = 0;
        long rest = row;
        for (int loop = sizes.length - 1; loop >= 0; loop--) {
            offset += rest % sizes[loop] * step(operand, loop);
            rest /= sizes[loop];
        }
        return offset;
    }

    /** How many rows a call takes: as many elements as the longest row, so that the JIT compiler sees many calls. */
    int rowsOfCall() {
        return Math.max(1, MOST_COLUMNS / columns());
    }

    /** The program over operands that vary as they do here. */
    KernelSpec over(KernelSpec spec) {
        return spec.over(accesses);
    }

    /**
     * How an operand varies within a row: {@link Access#VARYING} element after element, {@link Access#ROW} not at all, {@link Access#PERIOD} over a few
     * again and again, a whole number of times in a vector, and {@link Access#COLUMN} where a pattern is laid out for all rows.
     */
    Access access(int operand) {
        return accesses.get(operand);
    }

    /** Lays a pattern out for one row. */
    TileMap.Reader reader(int operand) {
        int[] extents = new int[nest.rank()];
        Arrays.fill(extents, 0, columnLoop, 1);
        extents[columnLoop] = piece;
        for (int loop = columnLoop + 1; loop < extents.length; loop++) {
            extents[loop] = (int) nest.size(loop);
        }
        Tiling.Form row = Tiling.Form.of(0, extents, 0);
        return new TileMap(Float.BYTES, nest, operand, row, columnLoop, nest.rank()).reader();
    }

    /** Where the elements of the first columns lie, one for each lane, in elements from the row's first. */
    long[] firstLanes(int operand) {
        return IntStream.range(0, LANES)
                .mapToLong(lane -> column(operand, lane))
                .toArray();
    }

    private long column(int operand, long column) {
        long offset = 0;
        long rest = column;
        for (int loop = nest.rank() - 1; loop >= columnLoop; loop--) {
            offset += rest % nest.size(loop) * nest.stride(operand, loop);
            rest /= nest.size(loop);
        }
        return offset;
    }
}
