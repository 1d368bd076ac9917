package io.github.broadloom.netcdf;

import io.github.broadloom.format.FileBytes;
import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The header of a classic file from its beginning on, number by number, highest byte first. What it claims to have is held against the file's length before memory is taken for it. */
final class ClassicInput {
    private static final int FIRST_BYTES = 8 << 10;
    private static final int MOST_BYTES = 1 << 20;

    private final SeekableByteChannel in;
    private final String name;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    /** Of the buffer's first byte. */
    private long position;
    /** Whether counts have eight bytes. */
    private boolean wide;

    ClassicInput(SeekableByteChannel in, String name) {
        this.in = in;
        this.name = name;
    }

    void wide() {
        wide = true;
    }

    private ByteBuffer next(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            position += buffer.position();
            int wanted = Math.max(bytes, Math.min(MOST_BYTES, Math.max(FIRST_BYTES, 2 * buffer.capacity())));
            byte[] more = FileBytes.upTo(in, position, wanted);
            if (more.length < bytes) {
                throw TensorFormatException.cannotRead(name, "it ends inside its header; the file is truncated");
            }
            buffer = ByteBuffer.wrap(more);
        }
        return buffer;
    }

    int int4() throws IOException {
        return next(4).getInt();
    }

    long int8() throws IOException {
        return next(8).getLong();
    }

    /** A count as the version has it: all bits set where it is the number of records of a file that is being written. */
    long rawCount() throws IOException {
        return wide ? int8() : int4();
    }

    long count(String of) throws IOException {
        long count = rawCount();
        if (count < 0) {
            throw damaged(of + " is " + count);
        }
        return count;
    }

    /** A count of things of which each takes so many bytes that follow. */
    int countInFile(String of, int bytesEach) throws IOException {
        long count = count(of);
        long there = in.size() - position - buffer.position();
        if (count > there / bytesEach || count > Integer.MAX_VALUE / bytesEach) {
            throw damaged(of + " is " + count + ", for which the file is too short");
        }
        return (int) count;
    }

    String text() throws IOException {
        int bytes = countInFile("the length of a text", 1);
        byte[] text = new byte[bytes];
        next(padded(bytes)).get(text);
        skip(padded(bytes) - bytes);
        return new String(text, StandardCharsets.UTF_8);
    }

    private void skip(int bytes) {
        buffer.position(buffer.position() + bytes);
    }

    private int padded(int bytes) throws TensorFormatException {
        long padded = (bytes + 3L) / 4 * 4;
        if (padded > Integer.MAX_VALUE) {
            throw damaged("a text has " + bytes + " bytes");
        }
        return (int) padded;
    }

    ClassicType type() throws IOException {
        int code = int4();
        ClassicType type = ClassicType.of(code);
        if (type == null) {
            throw damaged("a type has the number " + code);
        }
        return type;
    }

    /** An attribute's value: a text, a number, or a list of numbers. */
    Object value() throws IOException {
        ClassicType type = type();
        if (type == ClassicType.CHAR) {
            return text().replaceAll("\0+$", "");
        }
        int count = countInFile("the length of an attribute", type.bytes());
        int bytes = count * type.bytes();
        ByteBuffer values = next(padded(bytes));
        List<Object> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(number(type, values));
        }
        skip(padded(bytes) - bytes);
        return numbers.size() == 1 ? numbers.get(0) : List.copyOf(numbers);
    }

    private static Number number(ClassicType type, ByteBuffer in) {
        return switch (type) {
            case BYTE, CHAR -> (int) in.get();
            case UBYTE -> in.get() & 0xff;
            case SHORT -> (int) in.getShort();
            case USHORT -> in.getShort() & 0xffff;
            case INT -> in.getInt();
            case UINT -> in.getInt() & 0xffff_ffffL;
            case FLOAT -> in.getFloat();
            case DOUBLE -> in.getDouble();
            case INT64 -> in.getLong();
            case UINT64 -> new BigInteger(Long.toUnsignedString(in.getLong()));
        };
    }

    TensorFormatException damaged(String problem) {
        return TensorFormatException.cannotRead(name, "in its NetCDF header " + problem + "; the file is damaged");
    }
}
