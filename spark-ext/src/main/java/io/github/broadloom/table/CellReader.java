package io.github.broadloom.table;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/** Copies cells of one argument or column to memory or an array, row-major; a flat array of Spark's own takes one copy. */
public final class CellReader implements Serializable {
    private static final long serialVersionUID = 1;

    private final Refusal refusal;
    private final String name;
    private final DType dtype;
    private final int depth;
    private final @Nullable Shape declared;

    @FunctionalInterface
    public interface Refusal extends Serializable {
        /** @param why the name of the argument or column, and what is wrong with it */
        IllegalArgumentException of(String why);
    }

    /** @param action what the cells are read for, as errors say it: {@code read column} */
    public CellReader(String action, String name, CellType type) {
        this(why -> new IllegalArgumentException("Cannot " + action + ": " + why), name, type);
    }

    public CellReader(Refusal refusal, String name, CellType type) {
        this.refusal = refusal;
        this.name = name;
        this.dtype = type.dtype();
        this.declared = type.declared();
        this.depth = type.depth();
    }

    /**
     * The cell of a row as Spark holds it: a boxed number, or an array, which is valid as long as the row is; null where there is none. The type is not asked for
     * again: where Spark is told a type, it looks into the session's settings each time.
     */
    public @Nullable Object cell(SpecializedGetters row, int column) {
        if (row.isNullAt(column)) {
            return null;
        }
        if (depth > 0) {
            return row.getArray(column);
        }
        return switch (dtype.primitive()) {
            case BYTE -> dtype == DType.BOOL ? (Object) row.getBoolean(column) : (Object) row.getByte(column);
            case SHORT -> row.getShort(column);
            case INT -> row.getInt(column);
            case LONG -> row.getLong(column);
            case FLOAT -> row.getFloat(column);
            case DOUBLE -> row.getDouble(column);
        };
    }

    /**
     * The shape of a cell.
     *
     * @throws IllegalArgumentException naming the argument, where an array in it is null, or the declared shape is of another number
     *     of elements
     */
    public Shape shape(Object cell) {
        if (depth == 0) {
            return Shape.SCALAR;
        }
        if (declared != null) {
            int elements = ((ArrayData) cell).numElements();
            if (elements != declared.numel()) {
                throw refused("has " + elements + " elements, but its column declares the shape " + declared);
            }
            return declared;
        }
        long[] sizes = new long[depth];
        Object inner = cell;
        for (int d = 0; d < depth; d++) {
            ArrayData array = (ArrayData) inner;
            sizes[d] = array.numElements();
            if (sizes[d] == 0 || d == depth - 1) {
                break;
            }
            inner = array.isNullAt(0) ? null : array.getArray(0);
            if (inner == null) {
                throw nullAt(new int[d + 1]);
            }
        }
        return Shape.of(sizes);
    }

    public DType dtype() {
        return dtype;
    }

    /** Whether {@link #shape} would tell this shape; where it would refuse the cell, that is not so. */
    public boolean hasShape(Object cell, Shape shape) {
        if (depth == 0) {
            return true;
        }
        if (depth == 1) {
            long elements = declared == null ? shape.size(0) : shape.numel();
            return ((ArrayData) cell).numElements() == elements;
        }
        Object inner = cell;
        for (int d = 0; d < depth; d++) {
            ArrayData array = (ArrayData) inner;
            if (array.numElements() != shape.size(d)) {
                return false;
            }
            if (shape.size(d) == 0 || d == depth - 1) {
                break;
            }
            if (array.isNullAt(0)) {
                return false;
            }
            inner = array.getArray(0);
        }
        return true;
    }

    /**
     * Copies a cell of a shape that {@link #shape} told.
     *
     * @throws IllegalArgumentException naming the argument and the place, where it is ragged, or an element is null
     */
    public void read(Object cell, Shape shape, long address) {
        read(cell, shape, null, address);
    }

    /** As {@link #read(Object, Shape, long)}, to the beginning of an array of the dtype's {@link DType#primitive()}. */
    public void read(Object cell, Shape shape, Object array) {
        read(cell, shape, array, RawMemory.firstElement(array));
    }

    private void read(Object cell, Shape shape, @Nullable Object array, long at) {
        if (depth == 0) {
            number(cell, array, at);
        } else {
            lines(cell, shape, (line, count, index, offset) -> line(line, count, index, array, at + offset));
        }
    }

    /** Refuses a cell as {@link #read(Object, Shape, long)} does, whatever its elements are. */
    public void check(Object cell, Shape shape) {
        if (depth > 1) {
            lines(cell, shape, (line, count, index, offset) -> {});
        }
    }

    private interface Line {
        void at(ArrayData line, int count, int[] index, long offset);
    }

    private void lines(Object cell, Shape shape, Line visitor) {
        if (depth == 1) {
            ArrayData line = (ArrayData) cell;
            int[] index = new int[1];
            visitor.at(line, checked(line, 0, shape.numel(), index), index, 0);
            return;
        }
        long[] sizes = shape.toArray();
        array((ArrayData) cell, 0, sizes, new int[depth], 0, visitor);
    }

    private void number(Object value, @Nullable Object array, long at) {
        switch (dtype.primitive()) {
            case BYTE ->
                Platform.putByte(array, at, value instanceof Boolean truth ? (byte) (truth ? 1 : 0) : (Byte) value);
            case SHORT -> Platform.putShort(array, at, (Short) value);
            case INT -> Platform.putInt(array, at, (Integer) value);
            case LONG -> Platform.putLong(array, at, (Long) value);
            case FLOAT -> Platform.putFloat(array, at, (Float) value);
            case DOUBLE -> Platform.putDouble(array, at, (Double) value);
        }
    }

    private void array(ArrayData array, int d, long[] sizes, int[] index, long offset, Line visitor) {
        int count = checked(array, d, sizes[d], index);
        if (d == depth - 1) {
            visitor.at(array, count, index, offset);
            return;
        }
        long step = dtype.bytes();
        for (int inner = d + 1; inner < depth; inner++) {
            step *= sizes[inner];
        }
        for (int i = 0; i < count; i++) {
            index[d] = i;
            if (array.isNullAt(i)) {
                throw nullAt(Arrays.copyOf(index, d + 1));
            }
            array(array.getArray(i), d + 1, sizes, index, offset + i * step, visitor);
        }
    }

    private int checked(ArrayData array, int d, long size, int[] index) {
        int count = array.numElements();
        if (count != size) {
            throw refused("is ragged: " + at(index, d) + " has " + count + " elements, others have " + size);
        }
        return count;
    }

    private void line(ArrayData array, int count, int[] index, @Nullable Object to, long at) {
        refuseNulls(array, count, index);
        long bytes = (long) count * dtype.bytes();
        if (array instanceof UnsafeArrayData unsafe) {
            long payload = unsafe.getBaseOffset() + UnsafeArrayData.calculateHeaderPortionInBytes(count);
            Platform.copyMemory(unsafe.getBaseObject(), payload, to, at, bytes);
            return;
        }
        if (dtype == DType.BOOL) {
            copy(array.toBooleanArray(), Platform.BOOLEAN_ARRAY_OFFSET, to, at, bytes);
            return;
        }
        switch (dtype.primitive()) {
            case BYTE -> copy(array.toByteArray(), Platform.BYTE_ARRAY_OFFSET, to, at, bytes);
            case SHORT -> copy(array.toShortArray(), Platform.SHORT_ARRAY_OFFSET, to, at, bytes);
            case INT -> copy(array.toIntArray(), Platform.INT_ARRAY_OFFSET, to, at, bytes);
            case LONG -> copy(array.toLongArray(), Platform.LONG_ARRAY_OFFSET, to, at, bytes);
            case FLOAT -> copy(array.toFloatArray(), Platform.FLOAT_ARRAY_OFFSET, to, at, bytes);
            case DOUBLE -> copy(array.toDoubleArray(), Platform.DOUBLE_ARRAY_OFFSET, to, at, bytes);
        }
    }

    private static void copy(Object array, int offset, @Nullable Object to, long at, long bytes) {
        Platform.copyMemory(array, offset, to, at, bytes);
    }

    private void refuseNulls(ArrayData array, int count, int[] index) {
        if (array instanceof UnsafeArrayData unsafe && !hasNulls(unsafe, count)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            if (array.isNullAt(i)) {
                index[depth - 1] = i;
                throw nullAt(index);
            }
        }
    }

    /** Spark's arrays begin with their length, and a bit for each element, which is set where it is null. */
    private static boolean hasNulls(UnsafeArrayData array, int count) {
        long bits = 0;
        for (long word = 0; word < (count + 63L) / 64; word++) {
            bits |= Platform.getLong(array.getBaseObject(), array.getBaseOffset() + Long.BYTES * (1 + word));
        }
        return bits != 0;
    }

    private IllegalArgumentException nullAt(int[] index) {
        return refused(
                "is null at " + at(index, index.length) + "; fill it, as with tensor_fill_null(" + name + ", 0)");
    }

    private static String at(int[] index, int length) {
        return Arrays.toString(Arrays.copyOf(index, length));
    }

    private IllegalArgumentException refused(String why) {
        return refusal.of(name + " " + why);
    }
}
