package io.github.broadloom.cpu;

import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The memory of one operand of a {@link DirectPass}, as a kernel takes it. An instance serves one thread. */
abstract class DirectPlace {
    /** A direct buffer, or an array. */
    abstract Object memory();

    /** Where in it the first row begins, in bytes. */
    int at;

    /** From row to row, in bytes. */
    int step;

    /** How many rows a call can take, when there are {@code stride} elements from row to row. */
    abstract long mostRows(long stride);

    /** Goes to rows of which the first begins so many elements from the operand's first, with {@code stride} elements from row to row. */
    abstract void moveTo(long offset, long stride, int rows);

    /** An operand that is read, or written, where it lies. */
    static final class Window extends DirectPlace {
        private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

        private final Tensor tensor;
        private final int elementBytes;
        private final int rowBytes;
        private final int windowBytes;
        private ByteBuffer buffer = NOTHING;
        private long start;

        /** Looks at a part of the tensor's memory at a time, at least at one of its rows. */
        Window(Tensor tensor, int columns, int windowBytes) {
            this.tensor = tensor;
            this.windowBytes = windowBytes;
            this.elementBytes = tensor.dtype().bytes();
            this.rowBytes = columns * elementBytes;
        }

        @Override
        Object memory() {
            return buffer;
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
            buffer = tensor.storage().view(first, (int) bytes).order(ByteOrder.nativeOrder());
        }
    }

    /** An operand of floats that repeats a pattern, which is laid out once for all rows that begin with the same element. */
    static final class Pattern extends DirectPlace {
        private final Tensor tensor;
        private final TileMap.Reader reader;
        private final float[] array;
        private long laidOut = -1;

        Pattern(Tensor tensor, TileMap.Reader reader, int columns) {
            this.tensor = tensor;
            this.reader = reader;
            this.array = new float[columns];
        }

        @Override
        Object memory() {
            return array;
        }

        @Override
        long mostRows(long stride) {
            return Integer.MAX_VALUE;
        }

        @Override
        void moveTo(long offset, long stride, int rows) {
            if (offset != laidOut) {
                laidOut = offset;
                reader.read(tensor.address() + offset * Float.BYTES, array, RawMemory.firstElement(array));
            }
        }
    }

    /** An operand that repeats so few elements in a row that a vector of them is the same everywhere in it. */
    static final class Period extends DirectPlace {
        private final Tensor tensor;
        private final long[] lanes;
        private final int elementBytes;
        private final ByteBuffer buffer;
        private final long room;

        /** A vector for each row, and room for as many as a call has rows; {@code lanes} is where its elements lie, from the row's first. */
        Period(Tensor tensor, long[] lanes, ByteBuffer room) {
            this.tensor = tensor;
            this.lanes = lanes.clone();
            this.elementBytes = tensor.dtype().bytes();
            this.buffer = room;
            this.room = RawMemory.addressOf(room);
            this.step = lanes.length * elementBytes;
        }

        @Override
        Object memory() {
            return buffer;
        }

        @Override
        long mostRows(long stride) {
            return buffer.capacity() / step;
        }

        @Override
        void moveTo(long offset, long stride, int rows) {
            long to = room;
            for (int row = 0; row < rows; row++) {
                long first = tensor.address() + (offset + row * stride) * elementBytes;
                for (long lane : lanes) {
                    copyElement(first + lane * elementBytes, to);
                    to += elementBytes;
                }
            }
        }

        private void copyElement(long from, long to) {
            switch (elementBytes) {
                case 1 -> RawMemory.copyByte(null, from, null, to);
                case 2 -> RawMemory.copyShort(null, from, null, to);
                default -> RawMemory.copyInt(null, from, null, to);
            }
        }
    }
}
