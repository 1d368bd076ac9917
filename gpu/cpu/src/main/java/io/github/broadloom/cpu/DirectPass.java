package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.DirectKernel;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A short pointwise program over large tensors, read and written where they lie: without tiles, at the speed of memory.
 *
 * @param places the operands and, last, the target
 * @param windowBytes how much of a tensor's memory is looked at at a time: {@link #WINDOW_BYTES}, or less in tests
 */
record DirectPass(DirectNest nest, List<Tensor> places, int windowBytes) {
    /** Elements that take about as long as to wake another thread. */
    private static final int GRAIN = 8192;

    /** The positions in a buffer are ints. */
    static final int WINDOW_BYTES = 1 << 30;

    void run(DirectKernel kernel, int threads) {
        long grain = Math.max(1, GRAIN / nest.columns());
        long length = Parallel.rangeLength(threads, nest.rows(), grain);
        int room = IntStream.range(0, places.size()).map(this::room).sum();
        Storage rooms = Storage.allocate((long) threads * room);
        AtomicInteger workers = new AtomicInteger();
        try {
            Parallel.forRanges(threads, nest.rows(), length, () -> {
                ByteBuffer own = rooms.view((long) workers.getAndIncrement() * room, room);
                return new Rows(kernel, own);
            });
        } finally {
            rooms.release();
        }
    }

    /** The bytes that an operand's periods are laid out in. */
    private int room(int operand) {
        return nest.access(operand) == Access.PERIOD
                ? nest.rowsOfCall()
                        * DirectNest.LANES
                        * places.get(operand).dtype().bytes()
                : 0;
    }

    /** Calls of the kernel, each for some rows of the innermost loop. */
    private final class Rows implements Parallel.Worker {
        private final DirectKernel kernel;
        private final DirectPlace[] operands = new DirectPlace[places.size()];
        private final Object[] memory = new Object[places.size()];
        private final int[] at = new int[places.size()];
        private final int[] steps = new int[places.size()];
        private final long mostRows;

        Rows(DirectKernel kernel, ByteBuffer rooms) {
            this.kernel = kernel;
            long most = nest.rowsOfCall();
            for (int i = 0; i < operands.length; i++) {
                operands[i] = place(i, rooms);
                most = Math.min(most, operands[i].mostRows(nest.step(i)));
            }
            this.mostRows = most;
        }

        private DirectPlace place(int operand, ByteBuffer rooms) {
            Tensor tensor = places.get(operand);
            ByteBuffer room = rooms.slice(rooms.position(), room(operand)).order(ByteOrder.nativeOrder());
            rooms.position(rooms.position() + room.capacity());
            return switch (nest.access(operand)) {
                case VARYING -> new DirectPlace.Window(tensor, nest.columns(), windowBytes);
                case ROW, CONSTANT -> new DirectPlace.Window(tensor, 1, windowBytes);
                case PERIOD -> new DirectPlace.Period(tensor, nest.firstLanes(operand), room);
                case COLUMN -> new DirectPlace.Pattern(tensor, nest.reader(operand), nest.columns());
            };
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
                memory[i] = operands[i].memory();
                at[i] = operands[i].at;
                steps[i] = operands[i].step;
            }
            kernel.run(memory, at, steps, rows, columns);
        }
    }
}
