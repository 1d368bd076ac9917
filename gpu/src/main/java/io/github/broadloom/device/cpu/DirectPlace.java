package io.github.broadloom.device.cpu;

import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The memory of one operand of a {@link DirectPass}, as a kernel takes it. An instance serves one thread. */
abstract class DirectPlace {
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    /** The buffer. */
    ByteBuffer buffer = NOTHING;

    /** Where in the buffer the first row begins, in bytes. */
    int at;

    /** From row to row, in bytes. */
    int step;

    /** How many rows a call can take, when there are {@code stride} elements from row to row. */
    abstract long mostRows(long stride);

    /**
     * Goes to some rows.
     *
     * @param offset of the first, in elements from the operand's first
     * @param stride from row to row, in elements
     */
    abstract void moveTo(long offset, long stride, int rows);

    /** An operand that is read, or written, where it lies. */
    static final class Window extends DirectPlace {
        private final Tensor tensor;
        private final int elementBytes;
        private final int rowBytes;
        private final int windowBytes;
        private long start;

        /**
         * Looks at a part of the tensor's memory at a time.
         *
         * @param columns elements of it in a row
         * @param windowBytes how large a part, at least a row
         */
        Window(Tensor tensor, int columns, int windowBytes) {
            this.tensor = tensor;
            this.windowBytes = windowBytes;
            this.elementBytes = tensor.dtype().bytes();
            this.rowBytes = columns * elementBytes;
        }

        @Override
        long mostRows(long stride) {
            return stride == 0 ? Integer.MAX_VALUE : (windowBytes - rowBytes) / (stride * elementBytes) + 1;
        }

        @Override
        void moveTo(long offset, long stride, int rows) {
            long first = (tensor.layout().offset() + offset) * elementBytes;
            long end = first + (rows - 1) * stride * elementBytes + rowBytes;
            if (first < start || end > start + buffer.capacity()) {
                look(first);
            }
            at = (int) (first - start);
            step = (int) (stride * elementBytes);
        }

        private void look(long first) {
            start = first;
            long bytes = Math.min(windowBytes, tensor.storage().sizeBytes() - first);
            buffer = tensor.storage().buffer().nioBuffer(first, (int) bytes).order(ByteOrder.nativeOrder());
        }
    }

    /** An operand that repeats a pattern, which is laid out once for all rows that begin with the same element. */
    static final class Pattern extends DirectPlace {
        private final Tensor tensor;
        private final TileMap.Reader reader;
        private final Object array;
        private final long bytes;
        private long laidOut = -1;

        /** @param room for a row of it */
        Pattern(Tensor tensor, TileMap.Reader reader, int columns, ByteBuffer room) {
            this.tensor = tensor;
            this.reader = reader;
            this.array = StoredArrays.allocate(tensor.dtype(), columns);
            this.bytes = (long) columns * tensor.dtype().bytes();
            this.buffer = room;
        }

        @Override
        long mostRows(long stride) {
            return stride == 0 ? Integer.MAX_VALUE : 1;
        }

        @Override
        void moveTo(long offset, long stride, int rows) {
            if (offset != laidOut) {
                laidOut = offset;
                long from = RawMemory.firstElement(array);
                reader.read(tensor.address() + offset * tensor.dtype().bytes(), array, from);
                RawMemory.copy(array, from, null, RawMemory.addressOf(buffer), bytes);
            }
        }
    }
}
