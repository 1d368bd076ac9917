package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.DirectKernel;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A short pointwise program over large tensors, read and written where they lie: without tiles, at the speed of memory. */
final class DirectPass {
    /** Elements that take about as long as to wake another thread. */
    private static final int GRAIN = 8192;

    /** The positions in a buffer are ints. */
    static final int WINDOW_BYTES = 1 << 30;

    private final DirectNest nest;
    private final List<Tensor> places;
    private final int windowBytes;

    /**
     * The pass over some places.
     *
     * @param places the operands and, last, the target
     * @param windowBytes how much of a tensor's memory is looked at at a time: {@link #WINDOW_BYTES}, or less in tests
     */
    DirectPass(DirectNest nest, List<Tensor> places, int windowBytes) {
        this.nest = nest;
        this.places = places;
        this.windowBytes = windowBytes;
    }

    /** Writes the target. */
    void run(DirectKernel kernel, int threads) {
        long grain = Math.max(1, GRAIN / nest.columns());
        long length = Parallel.rangeLength(threads, nest.rows(), grain);
        int room = nest.patterns() * nest.columns() * Long.BYTES;
        Storage rooms = Storage.allocate((long) threads * room);
        AtomicInteger workers = new AtomicInteger();
        try {
            Parallel.forRanges(threads, nest.rows(), length, () -> {
                ByteBuffer own = rooms.buffer().nioBuffer((long) workers.getAndIncrement() * room, room);
                return new Rows(kernel, own);
            });
        } finally {
            rooms.release();
        }
    }

    /** Calls of the kernel, each for some rows of the innermost loop. */
    private final class Rows implements Parallel.Worker {
        private final DirectKernel kernel;
        private final DirectPlace[] operands = new DirectPlace[places.size()];
        private final ByteBuffer[] buffers = new ByteBuffer[places.size()];
        private final int[] at = new int[places.size()];
        private final int[] steps = new int[places.size()];
        private final long mostRows;

        Rows(DirectKernel kernel, ByteBuffer room) {
            this.kernel = kernel;
            long most = Long.MAX_VALUE;
            for (int i = 0; i < operands.length; i++) {
                operands[i] = place(i, room);
                most = Math.min(most, operands[i].mostRows(nest.step(i)));
            }
            this.mostRows = most;
        }

        private DirectPlace place(int operand, ByteBuffer room) {
            Tensor tensor = places.get(operand);
            Optional<TileMap.Reader> reader =
                    nest.pattern(operand, tensor.dtype().bytes());
            if (reader.isEmpty()) {
                return new DirectPlace.Window(tensor, nest.columns(operand), windowBytes);
            }
            int begin = room.position();
            int bytes = nest.columns() * tensor.dtype().bytes();
            room.position(begin + nest.columns() * Long.BYTES);
            return new DirectPlace.Pattern(
                    tensor,
                    reader.get(),
                    nest.columns(),
                    room.slice(begin, bytes).order(ByteOrder.nativeOrder()));
        }

        @Override
        public void run(long first, long end) {
            long row = first;
            while (row < end) {
                long inLoop = row % nest.innerRows();
                long whole = nest.innerRows() - (nest.lastColumns() < nest.columns() ? 1 : 0);
                if (inLoop < whole) {
                    int rows = (int) Math.min(mostRows, Math.min(end - row, whole - inLoop));
                    call(row, rows, nest.columns());
                    row += rows;
                } else {
                    call(row, 1, nest.lastColumns());
                    row++;
                }
            }
        }

        private void call(long row, int rows, int columns) {
            for (int i = 0; i < operands.length; i++) {
                operands[i].moveTo(nest.offset(i, row), nest.step(i), rows);
                buffers[i] = operands[i].buffer;
                at[i] = operands[i].at;
                steps[i] = operands[i].step;
            }
            kernel.run(buffers, at, steps, rows, columns);
        }
    }
}
