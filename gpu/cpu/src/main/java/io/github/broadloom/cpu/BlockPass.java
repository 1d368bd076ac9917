package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.DirectKernel;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.BoxCopy;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A short pointwise program over large tensors, in blocks of rows that a kernel reads and writes where they lie, but for the operands that lie
 * across the rows, as transposed ones do: these are gathered, a block at a time, into memory of the second-level cache. The elements of such
 * an operand lie together in another loop, the lines. Blocks follow each other along the lines. The result is the nest's last operand.
 */
final class BlockPass {
    /** Of every run of an operand's memory a block takes four cache lines of floats: runs of one or two take twice as long. */
    private static final int LINES = 64;

    /** Of shorter runs there is little to gain. */
    private static final int FEWEST_LINES = 16;

    /** What is gathered is to stay in the second-level cache; the longer the rows of the others are, the better. */
    private static final int COLUMNS = 1536;

    private static final int CACHE_LINE_BYTES = 64;

    private final LoopNest nest;
    private final int lineLoop;
    private final int columnLoop;
    private final long lineBlocks;
    private final long columnBlocks;
    private final int columns;
    private final List<DirectNest> forms = new ArrayList<>();

    private BlockPass(LoopNest nest, int lineLoop) {
        this.nest = nest;
        this.lineLoop = lineLoop;
        this.columnLoop = nest.rank() - 1;
        this.lineBlocks = ceilDiv(nest.size(lineLoop), LINES);
        long all = nest.size(columnLoop);
        this.columns = (int) ceilDiv(all, Math.max(1, all / COLUMNS));
        this.columnBlocks = ceilDiv(all, columns);
    }

    private static long ceilDiv(long a, long b) {
        return (a + b - 1) / b;
    }

    /** The blocks that a program goes over, where some operands lie across the rows, and a kernel reads the others in place. */
    static Optional<BlockPass> of(KernelSpec spec, LoopNest nest) {
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
        BlockPass blocks = new BlockPass(nest, lineLoop);
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
            Shape shape = shape(form);
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

    private Shape shape(int form) {
        boolean endsLines = (form & 1) != 0;
        boolean endsColumns = (form & 2) != 0;
        long lines = endsLines ? nest.size(lineLoop) - (lineBlocks - 1) * LINES : Math.min(LINES, nest.size(lineLoop));
        return Shape.of(lines, endsColumns ? nest.size(columnLoop) - (columnBlocks - 1) * columns : columns);
    }

    /** How a block lies in an operand, or, if that lies across, where it is gathered. */
    private Layout layout(int operand, Shape shape, long offset) {
        long[] strides = isAcross(nest, operand)
                ? new long[] {shape.size(1), 1}
                : new long[] {nest.stride(operand, lineLoop), nest.stride(operand, columnLoop)};
        return Layout.of(shape, strides, offset);
    }

    private long blocks() {
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

    private int form(long block) {
        int lastLines = block % lineBlocks == lineBlocks - 1 ? 1 : 0;
        int lastColumns = block / lineBlocks % columnBlocks == columnBlocks - 1 ? 2 : 0;
        return lastLines | lastColumns;
    }

    private long offset(int operand, long block) {
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

    /** Writes the last of the places from the others; each form of blocks has a kernel, with its numbers. */
    void run(List<DirectKernel> kernels, List<Tensor> places, int threads) {
        long room = IntStream.range(0, places.size())
                .mapToLong(operand -> room(operand, places.get(operand)))
                .sum();
        Storage rooms = Storage.allocate(threads * room);
        AtomicInteger workers = new AtomicInteger();
        long length = Parallel.rangeLength(threads, blocks(), 1);
        try {
            Parallel.forRanges(threads, blocks(), length, () -> {
                long own = workers.getAndIncrement() * room;
                return (first, end) -> {
                    for (long block = first; block < end; block++) {
                        List<Tensor> parts = parts(block, places, rooms, own);
                        new DirectPass(forms.get(form(block)), parts, DirectPass.WINDOW_BYTES)
                                .run(kernels.get(form(block)), 1);
                    }
                };
            });
        } finally {
            rooms.release();
        }
    }

    /** The bytes that an operand's block is gathered in. */
    private long room(int operand, Tensor place) {
        int bytes = LINES * columns * place.dtype().bytes();
        return isAcross(nest, operand) ? ceilDiv(bytes, CACHE_LINE_BYTES) * CACHE_LINE_BYTES : 0;
    }

    private List<Tensor> parts(long block, List<Tensor> places, Storage rooms, long own) {
        Shape shape = shape(form(block));
        List<Tensor> parts = new ArrayList<>();
        long room = own;
        for (int i = 0; i < places.size(); i++) {
            Tensor place = places.get(i);
            int bytes = place.dtype().bytes();
            if (isAcross(nest, i)) {
                gather(i, shape, bytes)
                        .copy(null, place.address() + offset(i, block) * bytes, null, rooms.address() + room);
                parts.add(Tensor.of(place.dtype(), layout(i, shape, room / bytes), rooms));
                room += room(i, place);
            } else {
                long first = place.layout().offset() + offset(i, block);
                parts.add(Tensor.of(place.dtype(), layout(i, shape, first), place.storage()));
            }
        }
        return parts;
    }

    private BoxCopy gather(int operand, Shape block, int elementBytes) {
        long lineBytes = block.size(1) * elementBytes;
        long step = nest.stride(operand, columnLoop) * elementBytes;
        return new BoxCopy(
                elementBytes,
                List.of(
                        new BoxCopy.Loop((int) block.size(1), step, elementBytes),
                        new BoxCopy.Loop((int) block.size(0), elementBytes, lineBytes)));
    }
}
