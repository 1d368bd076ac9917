package io.github.broadloom.pictures;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lays out a TIFF file of one picture, {@code [h, w]} or {@code [h, w, c]}, in strips that follow each other as they are; a BigTIFF file where 4 GiB do not hold it. */
final class TiffWriter {
    private static final int STRIP_BYTES = 1 << 18;
    private static final int MOST_STRIPS = 1 << 16;
    private static final int ALIGNMENT = 16;
    private static final int SHORT = 3;
    private static final int LONG = 4;
    private static final int LONG8 = 16;

    private final boolean big;
    private final List<Field> fields = new ArrayList<>();

    private record Field(int tag, int type, long[] values) {
        int bytes() {
            return values.length * (type == SHORT ? Short.BYTES : type == LONG ? Integer.BYTES : Long.BYTES);
        }

        void put(ByteBuffer out) {
            for (long value : values) {
                switch (type) {
                    case SHORT -> out.putShort((short) value);
                    case LONG -> out.putInt((int) value);
                    default -> out.putLong(value);
                }
            }
        }
    }

    private TiffWriter(boolean big) {
        this.big = big;
    }

    static FlatFile file(String target, DType dtype, Shape shape) throws TensorFormatException {
        if (dtype == DType.BOOL || dtype == DType.BFLOAT16) {
            throw TensorFormatException.cannotWrite(target, "TIFF has no " + dtype + "; cast the tensor with to(...)");
        }
        int rank = shape.rank();
        boolean picture = rank == 2 || rank == 3 && shape.size(2) < 1 << Short.SIZE;
        if (!picture || shape.numel() == 0 || shape.size(0) > Integer.MAX_VALUE || shape.size(1) > Integer.MAX_VALUE) {
            throw TensorFormatException.cannotWrite(
                    target, "a TIFF file holds a picture, [h, w] or [h, w, c], and the tensor is of shape " + shape);
        }
        long rowBytes = dtype.sizeBytes(shape.numel()) / shape.size(0);
        long rows = Math.max(Math.max(1, STRIP_BYTES / rowBytes), (shape.size(0) + MOST_STRIPS - 1) / MOST_STRIPS);
        boolean big = dtype.sizeBytes(shape.numel()) > (1L << 32) - (1 << 24);
        return new FlatFile(new TiffWriter(big).head(dtype, shape, rows, rowBytes), dtype, shape, false, 0);
    }

    private byte[] head(DType dtype, Shape shape, long rows, long rowBytes) {
        long height = shape.size(0);
        int samples = shape.rank() == 2 ? 1 : (int) shape.size(2);
        boolean colours = (samples == 3 || samples == 4) && dtype == DType.UINT8;
        int strips = (int) ((height + rows - 1) / rows);
        long[] offsets = new long[strips];
        long[] bytes = new long[strips];
        for (int i = 0; i < strips; i++) {
            bytes[i] = Math.min(rows, height - i * rows) * rowBytes;
        }
        int wide = big ? LONG8 : LONG;
        field(TiffPage.WIDTH, LONG, shape.size(1));
        field(TiffPage.HEIGHT, LONG, height);
        field(TiffPage.BITS, SHORT, repeated((long) dtype.bytes() * Byte.SIZE, samples));
        field(TiffPage.COMPRESSION, SHORT, 1);
        field(TiffPage.PHOTOMETRIC, SHORT, colours ? 2 : 1);
        field(TiffPage.STRIP_OFFSETS, wide, offsets);
        field(TiffPage.SAMPLES, SHORT, samples);
        field(TiffPage.STRIP_ROWS, LONG, rows);
        field(TiffPage.STRIP_BYTES, wide, bytes);
        field(TiffPage.PLANAR, SHORT, 1);
        int more = samples - (colours ? 3 : 1);
        if (more > 0) {
            field(TiffPage.EXTRA_SAMPLES, SHORT, repeated(colours ? 2 : 0, more)); // 2: how opaque it is
        }
        field(TiffPage.SAMPLE_FORMAT, SHORT, repeated(format(dtype), samples));
        int head = headBytes();
        for (int i = 0; i < strips; i++) {
            offsets[i] = head + i * rows * rowBytes;
        }
        return encode(head);
    }

    private static int format(DType dtype) {
        return dtype.isFloatingPoint() ? 3 : dtype.isSigned() ? 2 : 1;
    }

    private static long[] repeated(long value, int count) {
        long[] values = new long[count];
        Arrays.fill(values, value);
        return values;
    }

    private void field(int tag, int type, long... values) {
        fields.add(new Field(tag, type, values));
    }

    private int inline() {
        return big ? Long.BYTES : Integer.BYTES;
    }

    private int directoryEnd() {
        return big ? 16 + 8 + 20 * fields.size() + 8 : 8 + 2 + 12 * fields.size() + 4;
    }

    private int headBytes() {
        int bytes = directoryEnd();
        for (Field field : fields) {
            bytes += field.bytes() > inline() ? field.bytes() : 0;
        }
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    private byte[] encode(int bytes) {
        ByteBuffer out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) 'I').put((byte) 'I');
        if (big) {
            out.putShort((short) 43).putShort((short) 8).putShort((short) 0).putLong(16);
            out.putLong(fields.size());
        } else {
            out.putShort((short) 42).putInt(8).putShort((short) fields.size());
        }
        int behind = directoryEnd();
        for (Field field : fields) {
            out.putShort((short) field.tag()).putShort((short) field.type());
            number(out, field.values().length);
            int next = out.position() + inline();
            if (field.bytes() <= inline()) {
                field.put(out);
            } else {
                number(out, behind);
                field.put(out.duplicate().order(out.order()).position(behind));
                behind += field.bytes();
            }
            out.position(next);
        }
        return out.array();
    }

    private void number(ByteBuffer out, long value) {
        if (big) {
            out.putLong(value);
        } else {
            out.putInt((int) value);
        }
    }
}
