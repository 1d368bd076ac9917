package io.github.broadloom.table;

import io.github.broadloom.dtype.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.unsafe.Platform;

/**
 * Makes cells of Spark's of what lies in memory, row-major. An array is laid out once, as Spark's rows hold it, nested ones inside of it; of each cell the elements are
 * copied to their places.
 */
public final class CellWriter {
    private static final int WORD = Long.BYTES;

    private final DType dtype;
    private final boolean isNumber;
    private final long lineBytes;
    /** An array without its elements. */
    private final byte[] frame;
    /** Where the elements of each innermost array begin. */
    private final int[] lines;

    private final byte[] bytes;
    private final UnsafeArrayData array = new UnsafeArrayData();

    /** @throws IllegalArgumentException where a cell comes to more than 2 GiB */
    public CellWriter(DType dtype, long[] sizes) {
        this.dtype = dtype;
        this.isNumber = sizes.length == 0;
        this.lineBytes = isNumber ? 0 : sizes[sizes.length - 1] * dtype.bytes();
        this.frame = new byte[isNumber ? 0 : wholeSize(sizes)];
        List<Integer> places = new ArrayList<>();
        if (!isNumber) {
            frame(sizes, 0, 0, places);
        }
        this.lines = places.stream().mapToInt(Integer::intValue).toArray();
        this.bytes = frame.clone();
        if (!isNumber) { // Spark reads the number of elements there
            array.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
        }
    }

    private int wholeSize(long[] sizes) {
        long bytes = size(sizes, 0);
        if (bytes > Integer.MAX_VALUE - WORD) {
            throw new IllegalArgumentException("Cannot write a cell of shape " + Arrays.toString(sizes)
                    + ": it comes to " + bytes + " bytes, more than a row of Spark's holds");
        }
        return (int) bytes;
    }

    /** The bytes of an array of the dimension {@code d} and those inside of it. */
    private long size(long[] sizes, int d) {
        boolean isLine = d == sizes.length - 1;
        long bytes = isLine ? dtype.bytes() : WORD + size(sizes, d + 1);
        long elements = sizes[d] * bytes;
        return header(sizes[d]) + (elements + WORD - 1) / WORD * WORD;
    }

    private static long header(long elements) {
        return UnsafeArrayData.calculateHeaderPortionInBytes(elements);
    }

    /** Writes how many elements an array has, and where those that are arrays lie. */
    private void frame(long[] sizes, int d, int at, List<Integer> places) {
        Platform.putLong(frame, Platform.BYTE_ARRAY_OFFSET + at, sizes[d]);
        int first = at + (int) header(sizes[d]);
        if (d == sizes.length - 1) {
            places.add(first);
            return;
        }
        long inside = size(sizes, d + 1);
        for (int i = 0; i < sizes[d]; i++) {
            long place = first + WORD * sizes[d] + i * inside;
            Platform.putLong(frame, Platform.BYTE_ARRAY_OFFSET + first + (long) WORD * i, (place - at) << 32 | inside);
            frame(sizes, d + 1, (int) place, places);
        }
    }

    /** The cell whose first element lies at an address: a boxed number, or an array of its own. */
    public Object cell(long address) {
        if (isNumber) {
            return number(address);
        }
        byte[] own = frame.clone();
        copy(address, own);
        UnsafeArrayData cell = new UnsafeArrayData();
        cell.pointTo(own, Platform.BYTE_ARRAY_OFFSET, own.length);
        return cell;
    }

    /** As {@link #cell}; an array is the same one each time, and has these elements until the next. */
    public Object passing(long address) {
        if (isNumber) {
            return number(address);
        }
        copy(address, bytes);
        return array;
    }

    private void copy(long address, byte[] into) {
        for (int i = 0; i < lines.length; i++) {
            Platform.copyMemory(
                    null, address + i * lineBytes, into, Platform.BYTE_ARRAY_OFFSET + (long) lines[i], lineBytes);
        }
    }

    private Object number(long address) {
        return switch (dtype.primitive()) {
            case BYTE ->
                dtype == DType.BOOL
                        ? (Object) Platform.getBoolean(null, address)
                        : (Object) Platform.getByte(null, address);
            case SHORT -> Platform.getShort(null, address);
            case INT -> Platform.getInt(null, address);
            case LONG -> Platform.getLong(null, address);
            case FLOAT -> Platform.getFloat(null, address);
            case DOUBLE -> Platform.getDouble(null, address);
        };
    }
}
