package io.github.broadloom.pictures;

import io.github.broadloom.format.FileBytes;
import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The directories of a TIFF or BigTIFF file, by Adobe's TIFF 6.0 and the description of BigTIFF: each is the fields of one picture. */
final class TiffInput {
    private static final int MOST_PAGES = 1 << 16;

    private final SeekableByteChannel in;
    private final String name;
    private final ByteOrder order;
    private final boolean big;
    private final long first;

    private TiffInput(SeekableByteChannel in, String name, ByteOrder order, boolean big, long first) {
        this.in = in;
        this.name = name;
        this.order = order;
        this.big = big;
        this.first = first;
    }

    /** The values of a field, where they lie in the file. */
    record Field(int type, long count, long position) {}

    /**
     * The fields of a picture.
     *
     * @param position where they are
     * @param fields by their tags
     */
    record Directory(long position, Map<Integer, Field> fields, long next) {}

    /** Whether a file that begins so is one, be it a broken one. */
    static boolean begins(byte[] start) {
        return start.length >= 4
                && start[0] == start[1]
                && (start[0] == 'I' && (start[2] == 42 || start[2] == 43) && start[3] == 0
                        || start[0] == 'M' && (start[3] == 42 || start[3] == 43) && start[2] == 0);
    }

    static TiffInput open(SeekableByteChannel in, String name) throws IOException {
        byte[] start = FileBytes.upTo(in, 0, 16);
        if (!begins(start) || start.length < 8) {
            throw TensorFormatException.cannotRead(name, "it does not begin as a TIFF file does");
        }
        ByteOrder order = start[0] == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        ByteBuffer bytes = ByteBuffer.wrap(start).order(order);
        boolean big = bytes.getShort(2) == 43;
        if (big && (start.length < 16 || bytes.getShort(4) != 8)) {
            throw TensorFormatException.cannotRead(name, "the sizes in its BigTIFF header are not 8; it is damaged");
        }
        return new TiffInput(in, name, order, big, big ? bytes.getLong(8) : bytes.getInt(4) & 0xffff_ffffL);
    }

    ByteOrder order() {
        return order;
    }

    long fileBytes() throws IOException {
        return in.size();
    }

    TensorFormatException damaged(String problem) {
        return TensorFormatException.cannotRead(name, problem + "; the file is damaged");
    }

    private ByteBuffer read(long position, long bytes) throws IOException {
        if (position < 0 || bytes > in.size() || position > in.size() - bytes) {
            throw damaged("it names " + bytes + " bytes at " + Long.toUnsignedString(position) + ", which it has not");
        }
        return ByteBuffer.wrap(FileBytes.exactly(in, position, (int) bytes, name))
                .order(order);
    }

    /** All directories, in the file's order. */
    List<Directory> directories() throws IOException {
        List<Directory> directories = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        for (long at = first; at != 0; ) {
            if (!seen.add(at) || seen.size() > MOST_PAGES) {
                throw damaged("its pages lead back to themselves, or are more than " + MOST_PAGES);
            }
            Directory directory = directory(at);
            directories.add(directory);
            at = directory.next();
        }
        return directories;
    }

    Directory directory(long position) throws IOException {
        int countBytes = big ? 8 : 2;
        int entryBytes = big ? 20 : 12;
        int offsetBytes = big ? 8 : 4;
        ByteBuffer counted = read(position, countBytes);
        long count = big ? counted.getLong() : counted.getShort() & 0xffff;
        if (count < 0 || count > 0xffff) {
            throw damaged("a page has " + count + " fields");
        }
        ByteBuffer entries = read(position + countBytes, count * entryBytes + offsetBytes);
        Map<Integer, Field> fields = new HashMap<>();
        for (int i = 0; i < count; i++) {
            int tag = entries.getShort() & 0xffff;
            int type = entries.getShort() & 0xffff;
            long values = big ? entries.getLong() : entries.getInt() & 0xffff_ffffL;
            long inline = position + countBytes + entries.position();
            long offset = big ? entries.getLong() : entries.getInt() & 0xffff_ffffL;
            int width = width(type);
            boolean fits = width > 0 && values >= 0 && values <= in.size() / width;
            if (fits) { // others are of a type that is not known, or damaged, which matters only where they are needed
                fields.put(tag, new Field(type, values, values * width <= offsetBytes ? inline : offset));
            }
        }
        return new Directory(position, fields, big ? entries.getLong() : entries.getInt() & 0xffff_ffffL);
    }

    private static int width(int type) {
        return switch (type) {
            case 1, 2, 6, 7 -> 1;
            case 3, 8 -> 2;
            case 4, 9, 11, 13 -> 4;
            case 5, 10, 12, 16, 17, 18 -> 8;
            default -> 0;
        };
    }

    private ByteBuffer values(Field field) throws IOException {
        return read(field.position(), field.count() * width(field.type()));
    }

    byte[] bytes(Field field) throws IOException {
        return values(field).array();
    }

    /** The integers of a field; none where there is no such field. */
    long[] integers(Directory directory, int tag) throws IOException {
        Field field = directory.fields().get(tag);
        if (field == null) {
            return new long[0];
        }
        ByteBuffer bytes = values(field);
        long[] integers = new long[(int) field.count()];
        for (int i = 0; i < integers.length; i++) {
            integers[i] = switch (field.type()) {
                case 1, 7 -> bytes.get() & 0xff;
                case 6 -> bytes.get();
                case 3 -> bytes.getShort() & 0xffff;
                case 8 -> bytes.getShort();
                case 4, 13 -> bytes.getInt() & 0xffff_ffffL;
                case 9 -> bytes.getInt();
                case 16, 17, 18 -> bytes.getLong();
                default -> throw damaged("its field " + tag + " has no integers");
            };
        }
        return integers;
    }

    /** The first integer of a field. */
    long integer(Directory directory, int tag, long otherwise) throws IOException {
        long[] integers = integers(directory, tag);
        return integers.length == 0 ? otherwise : integers[0];
    }

    /** The value of a field as people read it: a text, a number or a list of numbers. */
    Object value(Field field) throws IOException {
        ByteBuffer bytes = values(field);
        if (field.type() == 2) {
            return new String(bytes.array(), StandardCharsets.UTF_8).replaceAll("\0+$", "");
        }
        List<Object> numbers = new ArrayList<>();
        for (long i = 0; i < field.count(); i++) {
            numbers.add(
                    switch (field.type()) {
                        case 11 -> bytes.getFloat();
                        case 12 -> bytes.getDouble();
                        case 5 -> (bytes.getInt() & 0xffff_ffffL) / (double) (bytes.getInt() & 0xffff_ffffL);
                        case 10 -> bytes.getInt() / (double) bytes.getInt();
                        case 1, 7 -> (long) (bytes.get() & 0xff);
                        case 6 -> (long) bytes.get();
                        case 3 -> (long) (bytes.getShort() & 0xffff);
                        case 8 -> (long) bytes.getShort();
                        case 4, 13 -> bytes.getInt() & 0xffff_ffffL;
                        case 9 -> (long) bytes.getInt();
                        default -> bytes.getLong();
                    });
        }
        return numbers.size() == 1 ? numbers.get(0) : List.copyOf(numbers);
    }
}
