package io.github.broadloom.table;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/** Copies cells of one argument or column to memory, row-major; a flat array of Spark's own takes one copy. */
public final class CellReader implements Serializable {
    private static final long serialVersionUID = 1;

    private final String action;
    private final String name;
    private final DType dtype;
    private final int depth;
    private final @Nullable Shape declared;
    /** The type of the elements of an array at each depth. */
    private final DataType[] elementTypes;

    /**
     * A reader.
     *
     * @param action what the cells are read for, as errors say it: {@code call tensor_add}
     * @param name of the argument or column
     */
    public CellReader(String action, String name, CellType type) {
        this.action = action;
        this.name = name;
        this.dtype = type.dtype();
        this.declared = type.declared();
        List<DataType> types = new ArrayList<>();
        DataType element = type.dataType();
        while (element instanceof ArrayType array) {
            element = array.elementType();
            types.add(element);
        }
        this.elementTypes = types.toArray(DataType[]::new);
        this.depth = elementTypes.length;
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
            inner = array.isNullAt(0) ? null : array.get(0, elementTypes[d]);
            if (inner == null) {
                throw nullAt(new int[d + 1]);
            }
        }
        return Shape.of(sizes);
    }

    /** The dtype of the cells. */
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
            inner = array.get(0, elementTypes[d]);
        }
        return true;
    }

    /**
     * Copies a cell of a shape that {@link #shape} told.
     *
     * @throws IllegalArgumentException naming the argument and the place, where it is ragged, or an element is null
     */
    public void read(Object cell, Shape shape, long address) {
        if (depth == 0) {
            number(cell, address);
        } else {
            lines(cell, shape, (line, count, index, offset) -> line(line, count, index, address + offset));
        }
    }

    /**
     * Looks whether a cell has a shape that {@link #shape} told, whatever its elements are.
     *
     * @throws IllegalArgumentException naming the argument and the place, where it is ragged, or an array in it is null
     */
    public void check(Object cell, Shape shape) {
        if (depth > 1) {
            lines(cell, shape, (line, count, index, offset) -> {});
        }
    }

    /** What is done with each innermost array. */
    private interface Line {
        void at(ArrayData line, int count, int[] index, long offset);
    }

    private void lines(Object cell, Shape shape, Line visitor) {
        long[] sizes = declared == null ? shape.toArray() : new long[] {shape.numel()};
        array((ArrayData) cell, 0, sizes, new int[depth], 0, visitor);
    }

    private void number(Object value, long address) {
        switch (dtype) {
            case BOOL -> Platform.putBoolean(null, address, (Boolean) value);
            case INT8, UINT8 -> Platform.putByte(null, address, (Byte) value);
            case INT16, FLOAT16 -> Platform.putShort(null, address, (Short) value);
            case INT32 -> Platform.putInt(null, address, (Integer) value);
            case INT64 -> Platform.putLong(null, address, (Long) value);
            case FLOAT32 -> Platform.putFloat(null, address, (Float) value);
            case FLOAT64 -> Platform.putDouble(null, address, (Double) value);
        }
    }

    private void array(ArrayData array, int d, long[] sizes, int[] index, long offset, Line visitor) {
        int count = array.numElements();
        if (count != sizes[d]) {
            throw refused("is ragged: " + at(index, d) + " has " + count + " elements, others have " + sizes[d]);
        }
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
            array((ArrayData) array.get(i, elementTypes[d]), d + 1, sizes, index, offset + i * step, visitor);
        }
    }

    private void line(ArrayData array, int count, int[] index, long address) {
        refuseNulls(array, count, index);
        long bytes = (long) count * dtype.bytes();
        if (array instanceof UnsafeArrayData unsafe) {
            long payload = unsafe.getBaseOffset() + UnsafeArrayData.calculateHeaderPortionInBytes(count);
            Platform.copyMemory(unsafe.getBaseObject(), payload, null, address, bytes);
            return;
        }
        switch (dtype) {
            case BOOL -> copy(array.toBooleanArray(), Platform.BOOLEAN_ARRAY_OFFSET, address, bytes);
            case INT8, UINT8 -> copy(array.toByteArray(), Platform.BYTE_ARRAY_OFFSET, address, bytes);
            case INT16, FLOAT16 -> copy(array.toShortArray(), Platform.SHORT_ARRAY_OFFSET, address, bytes);
            case INT32 -> copy(array.toIntArray(), Platform.INT_ARRAY_OFFSET, address, bytes);
            case INT64 -> copy(array.toLongArray(), Platform.LONG_ARRAY_OFFSET, address, bytes);
            case FLOAT32 -> copy(array.toFloatArray(), Platform.FLOAT_ARRAY_OFFSET, address, bytes);
            case FLOAT64 -> copy(array.toDoubleArray(), Platform.DOUBLE_ARRAY_OFFSET, address, bytes);
        }
    }

    private static void copy(Object array, int offset, long address, long bytes) {
        Platform.copyMemory(array, offset, null, address, bytes);
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
        return new IllegalArgumentException("Cannot " + action + ": " + name + " " + why);
    }
}
