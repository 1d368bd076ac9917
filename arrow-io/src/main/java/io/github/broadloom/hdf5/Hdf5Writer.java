package io.github.broadloom.hdf5;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.shape.Shape;
import io.jhdf.checksum.ChecksumUtils;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Lays out an HDF5 file with one contiguous dataset, and the groups that its path names, by version 3 of the format's specification: superblock 2, object headers 2. jHDF writes
 * arrays of the heap alone, all at once.
 */
final class Hdf5Writer {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    private static final int SUPERBLOCK_BYTES = 48;
    private static final int CHECKSUM_BYTES = 4;
    private static final int ALIGNMENT = 64;
    private static final long UNDEFINED = -1;

    private static final int DATASPACE = 0x01;
    private static final int LINK_INFO = 0x02;
    private static final int DATATYPE = 0x03;
    private static final int FILL_VALUE = 0x05;
    private static final int LINK = 0x06;
    private static final int LAYOUT = 0x08;
    private static final int GROUP_INFO = 0x0a;

    private Hdf5Writer() {}

    static FlatFile file(String path, DType dtype, Shape shape) {
        String[] names = path.replaceAll("^/+|/+$", "").split("/+");
        int at = SUPERBLOCK_BYTES;
        for (String name : names) {
            at += group(name, 0).length;
        }
        int dataset = at;
        int data = (at + dataset(dtype, shape, 0).length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        ByteBuffer head = buffer(data);
        head.put(superblock(data + dtype.sizeBytes(shape.numel())));
        for (int i = 0; i < names.length; i++) {
            int length = group(names[i], 0).length;
            head.put(group(names[i], i == names.length - 1 ? dataset : head.position() + length));
        }
        head.put(dataset(dtype, shape, shape.numel() == 0 ? UNDEFINED : data));
        return new FlatFile(head.array(), dtype, shape, false, 0);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] superblock(long fileBytes) {
        ByteBuffer out = buffer(SUPERBLOCK_BYTES);
        out.put(SIGNATURE)
                .put((byte) 2)
                .put((byte) Long.BYTES)
                .put((byte) Long.BYTES)
                .put((byte) 0);
        out.putLong(0).putLong(UNDEFINED).putLong(fileBytes).putLong(SUPERBLOCK_BYTES);
        return summed(out);
    }

    /** With the checksum of all before it. */
    private static byte[] summed(ByteBuffer out) {
        out.putInt(ChecksumUtils.checksum(Arrays.copyOf(out.array(), out.position())));
        return out.array();
    }

    /** The header of a group that holds one thing. */
    private static byte[] group(String name, long address) {
        byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
        ByteBuffer info = buffer(2 + 2 * Long.BYTES)
                .putShort((short) 0)
                .putLong(UNDEFINED)
                .putLong(UNDEFINED);
        ByteBuffer link = buffer(3 + Integer.BYTES + encoded.length + Long.BYTES);
        link.put((byte) 1).put((byte) 0b1_0010); // the length of the name has four bytes, and its characters are told
        link.put((byte) 1).putInt(encoded.length).put(encoded).putLong(address);
        return header(message(LINK_INFO, info), message(GROUP_INFO, buffer(2)), message(LINK, link));
    }

    private static byte[] dataset(DType dtype, Shape shape, long address) {
        ByteBuffer space = buffer(4 + shape.rank() * Long.BYTES);
        space.put((byte) 2).put((byte) shape.rank()).put((byte) 0).put((byte) (shape.rank() == 0 ? 0 : 1));
        for (long size : shape.toArray()) {
            space.putLong(size);
        }
        ByteBuffer fill = buffer(2).put((byte) 3).put((byte) 0b1010); // taken late, written where it was set
        ByteBuffer layout = buffer(2 + 2 * Long.BYTES).put((byte) 3).put((byte) 1);
        layout.putLong(address).putLong(dtype.sizeBytes(shape.numel()));
        return header(
                message(DATASPACE, space),
                message(DATATYPE, ByteBuffer.wrap(type(dtype))),
                message(FILL_VALUE, fill),
                message(LAYOUT, layout));
    }

    private static byte[] type(DType dtype) {
        if (dtype == DType.BOOL) { // as h5py has it: an enumeration of int8
            byte[] base = type(DType.INT8);
            ByteBuffer out = buffer(Long.BYTES + base.length + 2 * Long.BYTES + 2);
            out.putInt(0x18 | 2 << Byte.SIZE).putInt(1).put(base);
            out.put(padded("FALSE")).put(padded("TRUE")).put((byte) 0).put((byte) 1);
            return out.array();
        }
        int bits = dtype.bytes() * Byte.SIZE;
        if (!dtype.isFloatingPoint()) {
            return buffer(12)
                    .putInt(0x10 | (dtype.isSigned() ? 8 << Byte.SIZE : 0))
                    .putInt(dtype.bytes())
                    .putShort((short) 0)
                    .putShort((short) bits)
                    .array();
        }
        int mantissa = dtype.significantBits() - 1;
        int exponent = bits - 1 - mantissa;
        return buffer(20)
                .putInt(0x11 | 0x20 << Byte.SIZE | bits - 1 << 2 * Byte.SIZE) // the first bit of a mantissa is implied
                .putInt(dtype.bytes())
                .putShort((short) 0)
                .putShort((short) bits)
                .put((byte) mantissa)
                .put((byte) exponent)
                .put((byte) 0)
                .put((byte) mantissa)
                .putInt((1 << exponent - 1) - 1)
                .array();
    }

    private static byte[] padded(String name) {
        return buffer(Long.BYTES).put(name.getBytes(StandardCharsets.US_ASCII)).array();
    }

    private static byte[] message(int type, ByteBuffer body) {
        byte[] bytes = body.array();
        return buffer(4 + bytes.length)
                .put((byte) type)
                .putShort((short) bytes.length)
                .put((byte) 0)
                .put(bytes)
                .array();
    }

    private static byte[] header(byte[]... messages) {
        int bytes = 0;
        for (byte[] message : messages) {
            bytes += message.length;
        }
        ByteBuffer out = buffer(10 + bytes + CHECKSUM_BYTES);
        out.put("OHDR".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 2)
                .put((byte) 2)
                .putInt(bytes);
        for (byte[] message : messages) {
            out.put(message);
        }
        return summed(out);
    }
}
