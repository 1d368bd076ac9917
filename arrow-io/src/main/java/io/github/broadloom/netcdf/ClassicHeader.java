package io.github.broadloom.netcdf;

import io.github.broadloom.format.Store;
import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The header of a file of NetCDF version 3: classic, with 64-bit offsets, or CDF-5. By the description of the formats in the NetCDF User's Guide.
 *
 * @param records how many there are of each variable that has the record dimension
 * @param recordBytes from one record to the next
 * @param variables by name, in the file's order
 */
record ClassicHeader(long records, long recordBytes, long fileBytes, Map<String, Variable> variables) {
    /** Before the number of the version. */
    static final int MAGIC = 'C' << 16 | 'D' << 8 | 'F';

    static final int DIMENSIONS = 10;
    static final int VARIABLES = 11;
    private static final int ATTRIBUTES = 12;
    private static final int MOST_DIMENSIONS = 1024;

    /** One dimension; a length of 0 is that of the record dimension. */
    record Dimension(String name, long length) {}

    /**
     * @param begin the place of its first element, or of that of its first record
     */
    record Variable(
            String name, List<Dimension> dimensions, Map<String, Object> attributes, ClassicType type, long begin) {
        boolean isRecord() {
            return !dimensions.isEmpty() && dimensions.get(0).length() == 0;
        }

        /** The bytes of all its elements, or of those of one record. */
        long bytes() {
            long bytes = type.bytes();
            for (int d = isRecord() ? 1 : 0; d < dimensions.size(); d++) {
                bytes = Math.multiplyExact(bytes, dimensions.get(d).length());
            }
            return bytes;
        }

        long paddedBytes() {
            return Math.addExact(bytes(), 3) / 4 * 4;
        }
    }

    /** Whether a file that begins with these four bytes or more is one, be it a broken one. */
    static boolean begins(byte[] start) {
        return start.length >= Integer.BYTES && isMagic(ByteBuffer.wrap(start).getInt());
    }

    private static boolean isMagic(int magic) {
        int version = magic & 0xff;
        return magic >>> 8 == MAGIC && (version == 1 || version == 2 || version == 5);
    }

    static ClassicHeader read(Store store) throws IOException {
        try (SeekableByteChannel file = store.open("")) {
            ClassicInput in = new ClassicInput(file, store.name());
            int magic = in.int4();
            int version = magic & 0xff;
            if (!isMagic(magic)) {
                throw TensorFormatException.cannotRead(
                        store.name(), "it does not begin as a NetCDF file of version 3 does");
            }
            if (version == 5) {
                in.wide();
            }
            return new Reading(in, version).header(file.size());
        } catch (ArithmeticException e) {
            throw TensorFormatException.cannotRead(
                    store.name(), "the bytes of one of its variables pass 63 bits; the file is damaged", e);
        }
    }

    private record Reading(ClassicInput in, int version) {
        ClassicHeader header(long fileBytes) throws IOException {
            long records = in.rawCount();
            List<Dimension> dimensions = dimensions();
            attributes();
            Map<String, Variable> variables = variables(dimensions);
            List<Variable> ofRecords =
                    variables.values().stream().filter(Variable::isRecord).toList();
            long recordBytes = 0;
            for (Variable variable : ofRecords) {
                recordBytes = Math.addExact(
                        recordBytes,
                        // A file with one such variable alone leaves no gaps between its records.
                        ofRecords.size() == 1 ? variable.bytes() : variable.paddedBytes());
            }
            if (records == -1) {
                long first = ofRecords.stream().mapToLong(Variable::begin).min().orElse(fileBytes);
                records = recordBytes == 0 ? 0 : Math.max(0, fileBytes - first) / recordBytes;
            }
            if (records < 0) {
                throw in.damaged("the number of records is " + records);
            }
            return new ClassicHeader(records, recordBytes, fileBytes, variables);
        }

        /** How many entries a list has: it is absent, with two zeros, or has its tag. */
        private long listed(int tag) throws IOException {
            int found = in.int4();
            long count = in.count("the length of a list");
            if (found != tag && (found != 0 || count != 0)) {
                throw in.damaged("a list has the tag " + found + " where " + tag + " was expected");
            }
            return count;
        }

        private List<Dimension> dimensions() throws IOException {
            List<Dimension> dimensions = new ArrayList<>();
            long count = listed(DIMENSIONS);
            for (long i = 0; i < count; i++) {
                dimensions.add(new Dimension(in.text(), in.count("the length of a dimension")));
            }
            return dimensions;
        }

        private Map<String, Object> attributes() throws IOException {
            Map<String, Object> attributes = new LinkedHashMap<>();
            long count = listed(ATTRIBUTES);
            for (long i = 0; i < count; i++) {
                attributes.put(in.text(), in.value());
            }
            return attributes;
        }

        private Map<String, Variable> variables(List<Dimension> dimensions) throws IOException {
            Map<String, Variable> variables = new LinkedHashMap<>();
            long count = listed(VARIABLES);
            for (long i = 0; i < count; i++) {
                Variable variable = variable(dimensions);
                if (variables.put(variable.name(), variable) != null) {
                    throw in.damaged(
                            "two variables are called '" + TensorFormatException.quoted(variable.name()) + "'");
                }
            }
            return variables;
        }

        private Variable variable(List<Dimension> dimensions) throws IOException {
            String name = in.text();
            long rank = in.count("the number of dimensions of a variable");
            if (rank > MOST_DIMENSIONS) {
                throw in.damaged(
                        "a variable has " + rank + " dimensions, where NetCDF knows at most " + MOST_DIMENSIONS);
            }
            List<Dimension> own = new ArrayList<>();
            for (int d = 0; d < rank; d++) {
                long id = in.count("the number of a dimension");
                if (id >= dimensions.size() || d > 0 && dimensions.get((int) id).length() == 0) {
                    throw in.damaged("dimension " + d + " of '" + TensorFormatException.quoted(name)
                            + "' is the one numbered " + id + ", which cannot be");
                }
                own.add(dimensions.get((int) id));
            }
            Map<String, Object> attributes = attributes();
            ClassicType type = in.type();
            in.rawCount(); // The size follows from the dimensions, and has no room for that of a large variable.
            long begin = version == 1 ? in.int4() : in.int8();
            if (begin < 0) {
                throw in.damaged("'" + TensorFormatException.quoted(name) + "' begins at byte " + begin);
            }
            return new Variable(name, List.copyOf(own), attributes, type, begin);
        }
    }
}
