package io.github.broadloom.table;

import io.github.broadloom.dtype.DType;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.Platform;

/** Makes cells of Spark's of what lies in memory, row-major. */
public final class CellWriter {
    private final DType dtype;
    private final long[] sizes;

    /** @param sizes of every cell */
    public CellWriter(DType dtype, long[] sizes) {
        this.dtype = dtype;
        this.sizes = sizes;
    }

    /** The cell whose first element lies at an address: a boxed number, or an array. */
    public Object cell(long address) {
        return sizes.length == 0 ? number(address) : array(0, address);
    }

    private Object number(long address) {
        return switch (dtype) {
            case BOOL -> (Object) Platform.getBoolean(null, address);
            case INT8, UINT8 -> Platform.getByte(null, address);
            case INT16, FLOAT16 -> Platform.getShort(null, address);
            case INT32 -> Platform.getInt(null, address);
            case INT64 -> Platform.getLong(null, address);
            case FLOAT32 -> Platform.getFloat(null, address);
            case FLOAT64 -> Platform.getDouble(null, address);
        };
    }

    private ArrayData array(int d, long address) {
        int count = Math.toIntExact(sizes[d]);
        if (d == sizes.length - 1) {
            return line(count, address);
        }
        long step = dtype.bytes();
        for (int inner = d + 1; inner < sizes.length; inner++) {
            step *= sizes[inner];
        }
        Object[] inside = new Object[count];
        for (int i = 0; i < count; i++) {
            inside[i] = array(d + 1, address + i * step);
        }
        return new GenericArrayData(inside);
    }

    private ArrayData line(int count, long address) {
        UnsafeArrayData array = UnsafeArrayData.createFreshArray(count, dtype.bytes());
        long payload = array.getBaseOffset() + UnsafeArrayData.calculateHeaderPortionInBytes(count);
        Platform.copyMemory(null, address, array.getBaseObject(), payload, (long) count * dtype.bytes());
        return array;
    }
}
