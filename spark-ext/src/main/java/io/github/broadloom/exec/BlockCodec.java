package io.github.broadloom.exec;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;

/**
 * A tensor as bytes between the JVMs of one Spark application: dtype, sizes, strides and the elements that the
 * layout reaches, each once and in the machine's own order. A dimension that repeats one element (stride 0) is written with one element, so that a
 * broadcast view is not expanded on its way. Checksums go with them. The reader takes exactly the bytes that the writer made, as
 * Kryo demands of streams that hold several objects.
 */
public final class BlockCodec {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final byte LITTLE = 1;
    private static final byte BIG = 2;
    private static final byte NATIVE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? LITTLE : BIG;

    private BlockCodec() {}

    /** The view with every repeated dimension cut to the one element that it repeats. */
    public static Tensor unexpanded(Tensor tensor) {
        Tensor view = tensor;
        for (int d = 0; d < tensor.rank(); d++) {
            if (tensor.layout().stride(d) == 0 && tensor.shape().size(d) > 1) {
                view = view.narrow(d, 0, 1);
            }
        }
        return view;
    }

    /** The bytes of elements that {@link #write} makes. */
    public static long payloadBytes(Tensor tensor) {
        return unexpanded(tensor).numel() * tensor.dtype().bytes();
    }

    /** The dtype, sizes and place of a tensor, their checksum, the elements, and the checksum of all: memory is taken as the first one says. */
    public static void write(Tensor tensor, long[] starts, DataOutput to) throws IOException {
        Checksum sum = new Checksum();
        DataOutputStream out = sum.over(to);
        Tensor view = unexpanded(tensor);
        writeByteOrder(out);
        out.writeByte(tensor.dtype().ordinal());
        out.writeByte(tensor.rank());
        writeAll(tensor.shape().toArray(), out);
        writeAll(view.shape().toArray(), out);
        writeAll(starts, out);
        sum.write(to);
        writeElements(view, out);
        sum.write(to);
    }

    /** The elements in row-major order, and nothing else. */
    public static void writeElements(Tensor tensor, DataOutput out) throws IOException {
        Tensor rows = tensor.contiguous();
        try (Hold held = Hold.of(rows)) {
            writeBytes(rows.address(), tensor.numel() * tensor.dtype().bytes(), out);
        } finally {
            if (rows.storage() != tensor.storage()) {
                rows.storage().release();
            }
        }
    }

    /** What {@link #writeElements} wrote, into a contiguous tensor of as many. */
    public static void readElements(DataInput in, Tensor target) throws IOException {
        try (Hold held = Hold.of(target)) {
            readBytes(in, target.address(), target.numel() * target.dtype().bytes());
        }
    }

    public static void writeByteOrder(DataOutput out) throws IOException {
        out.writeByte(NATIVE);
    }

    /** @throws IOException where the writer's machine has the other one */
    public static void checkByteOrder(DataInput in) throws IOException {
        byte order = in.readByte();
        if (order != NATIVE) {
            throw new IOException("Cannot read block: its byte order mark is " + order + " and not " + NATIVE
                    + "; all machines of a cluster must have one byte order, and one version of Broadloom");
        }
    }

    /** @param starts its place in the larger tensor */
    public record Arrived(Tensor tensor, long[] starts) {}

    /** @throws DamagedException where it is not what {@link #write} made */
    public static Arrived read(DataInput from) throws IOException {
        Checksum sum = new Checksum();
        DataInputStream in = sum.over(from);
        checkByteOrder(in);
        byte dtype = in.readByte();
        int rank = in.readUnsignedByte();
        long[] full = readAll(rank, in);
        long[] held = readAll(rank, in);
        long[] starts = readAll(rank, in);
        sum.check(from, "the label of a block of a tensor");
        Layout layout = Layout.contiguous(Shape.of(held));
        Tensor tensor = TensorBytes.filled(Tensors.empty(DType.values()[dtype], layout.shape()), elements -> {
            readElements(in, elements);
            sum.check(from, "a block of a tensor of " + elements.dtype() + " " + Shape.of(full));
        });
        return new Arrived(Tensor.of(tensor.dtype(), layout.expand(Shape.of(full)), tensor.storage()), starts);
    }

    public static void writeAll(long[] numbers, DataOutput out) throws IOException {
        for (long number : numbers) {
            out.writeLong(number);
        }
    }

    public static long[] readAll(int count, DataInput in) throws IOException {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = in.readLong();
        }
        return numbers;
    }

    private static void writeBytes(long address, long bytes, DataOutput out) throws IOException {
        inSteps(bytes, (buffer, done, count) -> {
            RawMemory.copy(address + done, buffer, 0, count);
            out.write(buffer, 0, count);
        });
    }

    private static void readBytes(DataInput in, long address, long bytes) throws IOException {
        inSteps(bytes, (buffer, done, count) -> {
            in.readFully(buffer, 0, count);
            RawMemory.copy(buffer, 0, address + done, count);
        });
    }

    private interface Step {
        void copy(byte[] buffer, long done, int count) throws IOException;
    }

    private static void inSteps(long bytes, Step step) throws IOException {
        byte[] buffer = new byte[(int) Math.min(bytes, BUFFER_BYTES)];
        for (long done = 0; done < bytes; ) {
            int count = (int) Math.min(buffer.length, bytes - done);
            Cancellation.check();
            step.copy(buffer, done, count);
            done += count;
        }
    }
}
