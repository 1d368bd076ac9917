package io.github.broadloom.cpu;

import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.BoxCopy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A loop nest as blocks of rows, for programs that read and write where tensors lie, but for the operands that lie across the
 * rows, as transposed ones do: these are gathered, a block at a time. The elements of such an operand lie together in another
 * loop, the lines. Blocks follow each other along the lines. The result is the nest's last operand.
 */
final class BlockNest {
    /** Of every run of an operand's memory a block takes four cache lines of floats: runs of one or two take twice as long. */
    private static final int LINES = 64;

    /** Of shorter runs there is little to gain. */
    private static final int FEWEST_LINES = 16;

    /** What is gathered is to stay in the second-level cache; the longer the rows of the others are, the better. */
    private static final int COLUMNS = 1536;

    private final LoopNest nest;
    private final int lineLoop;
    private final int columnLoop;
    private final long lineBlocks;
    private final long columnBlocks;
    private final int columns;
    private final List<DirectNest> forms = new ArrayList<>();

    private BlockNest(LoopNest nest, int lineLoop) {
        this.nest = nest;
        this.lineLoop = lineLoop;
        this.columnLoop = nest.rank() - 1;
        this.lineBlocks = (nest.size(lineLoop) + LINES - 1) / LINES;
        long all = nest.size(columnLoop);
        this.columns = (int) ceilDiv(all, Math.max(1, all / COLUMNS));
        this.columnBlocks = ceilDiv(all, columns);
    }

    private static long ceilDiv(long a, long b) {
        return (a + b - 1) / b;
    }

    /** The blocks that a program goes over, where some operands lie across the rows, and a kernel reads the others in place. */
    static Optional<BlockNest> of(KernelSpec spec, LoopNest nest) {
        int lineLoop = nest.rank();
        for (int operand = 0; operand < nest.operands(); operand++) {
            if (isAcross(nest, operand)) {
                int nearest = unitLoop(nest, operand);
                if (nearest < 0 || lineLoop < nest.rank() && nearest != lineLoop) {
                    return Optional.empty();
                }
                lineLoop = nearest;
            }
        }
        boolean isWritable = nest.rank() > 0 && !isAcross(nest, nest.operands() - 1);
        if (lineLoop == nest.rank() || !isWritable || nest.size(lineLoop) < FEWEST_LINES) {
            return Optional.empty();
        }
        BlockNest blocks = new BlockNest(nest, lineLoop);
        return blocks.addForms(spec) ? Optional.of(blocks) : Optional.empty();
    }

    private static boolean isAcross(LoopNest nest, int operand) {
        long stride = nest.stride(operand, nest.rank() - 1);
        return stride != 0 && stride != 1;
    }

    private static int unitLoop(LoopNest nest, int operand) {
        return IntStream.range(0, nest.rank() - 1)
                .filter(loop -> nest.stride(operand, loop) == 1)
                .findFirst()
                .orElse(-1);
    }

    /** One for each of: whole blocks, those at the end of the lines, of the columns, of both. */
    private boolean addForms(KernelSpec spec) {
        for (int form = 0; form < 4; form++) {
            Shape shape = Shape.of(lines((form & 1) != 0), columns((form & 2) != 0));
            List<Layout> layouts = IntStream.range(0, nest.operands())
                    .mapToObj(operand -> layout(operand, shape, 0))
                    .toList();
            Optional<DirectNest> rows = DirectNest.of(spec, LoopNest.of(layouts.get(layouts.size() - 1), layouts));
            if (rows.isEmpty()) {
                return false;
            }
            forms.add(rows.get());
        }
        return true;
    }

    private long lines(boolean atTheEnd) {
        return atTheEnd ? nest.size(lineLoop) - (lineBlocks - 1) * LINES : Math.min(LINES, nest.size(lineLoop));
    }

    private long columns(boolean atTheEnd) {
        return atTheEnd ? nest.size(columnLoop) - (columnBlocks - 1) * columns : columns;
    }

    /** How a block lies in an operand, or, if that lies across, where it is gathered. */
    private Layout layout(int operand, Shape shape, long offset) {
        long[] strides = isAcross(operand)
                ? new long[] {shape.size(1), 1}
                : new long[] {nest.stride(operand, lineLoop), nest.stride(operand, columnLoop)};
        return Layout.of(shape, strides, offset);
    }

    /** Whether an operand is to be gathered. */
    boolean isAcross(int operand) {
        return isAcross(nest, operand);
    }

    /** The most elements of a block. */
    int capacity() {
        return LINES * columns;
    }

    /** How many blocks there are. */
    long blocks() {
        long outer = IntStream.range(0, columnLoop)
                .filter(loop -> loop != lineLoop)
                .mapToLong(nest::size)
                .reduce(1, Math::multiplyExact);
        return outer * columnBlocks * lineBlocks;
    }

    /** The rows of all forms of blocks. */
    List<DirectNest> forms() {
        return forms;
    }

    /** The form of a block, an index of {@link #forms}. */
    int form(long block) {
        int lastLines = block % lineBlocks == lineBlocks - 1 ? 1 : 0;
        int lastColumns = block / lineBlocks % columnBlocks == columnBlocks - 1 ? 2 : 0;
        return lastLines | lastColumns;
    }

    /** How a block lies in an operand whose first element is at {@code first}; or where it is gathered, beginning there. */
    Layout layout(int operand, long block, long first) {
        Shape shape = Shape.of(lines((form(block) & 1) != 0), columns((form(block) & 2) != 0));
        return layout(operand, shape, isAcross(operand) ? first : first + offset(operand, block));
    }

    /** Where a block begins, in elements from the operand's first. */
    long offset(int operand, long block) {
        long offset = block % lineBlocks * LINES * nest.stride(operand, lineLoop);
        long rest = block / lineBlocks;
        offset += rest % columnBlocks * columns * nest.stride(operand, columnLoop);
        rest /= columnBlocks;
        for (int loop = columnLoop - 1; loop >= 0; loop--) {
            if (loop != lineLoop) {
                offset += rest % nest.size(loop) * nest.stride(operand, loop);
                rest /= nest.size(loop);
            }
        }
        return offset;
    }

    /** Gathers blocks of an operand that lies across. */
    BoxCopy gather(int operand, long block, int elementBytes) {
        int lines = (int) lines((form(block) & 1) != 0);
        int width = (int) columns((form(block) & 2) != 0);
        long step = nest.stride(operand, columnLoop) * elementBytes;
        return new BoxCopy(
                elementBytes,
                List.of(
                        new BoxCopy.Loop(width, step, elementBytes),
                        new BoxCopy.Loop(lines, elementBytes, (long) width * elementBytes)));
    }
}
