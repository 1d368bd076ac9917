package io.github.broadloom.exec.write;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellType;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;

/**
 * How the rows of a tensor lie in memory as rows of Spark's: the index, where it is wanted, and a number or a flat array of numbers. All rows are laid out
 * alike, so that from one to the next only the index and the elements change.
 */
final class RowFormat implements Serializable {
    private static final long serialVersionUID = 1L;

    private final DType dtype;
    private final boolean isArray;
    private final int elements;
    private final boolean indexed;

    /** @throws IllegalArgumentException where a row is larger than one of Spark's can be */
    RowFormat(DType dtype, Shape cell, boolean indexed) {
        long most = (ByteArrayMethods.MAX_ROUNDED_ARRAY_LENGTH - 64L) * Byte.SIZE / (dtype.bytes() * Byte.SIZE + 1);
        if (cell.numel() > most) {
            throw new IllegalArgumentException("Cannot make rows of a table: each would have " + cell.numel() + " "
                    + dtype + " elements, and Spark holds at most " + most
                    + " in a cell; bring another dimension to the front, or view it as more rows");
        }
        this.dtype = dtype;
        this.isArray = cell.rank() > 0;
        this.elements = (int) cell.numel();
        this.indexed = indexed;
    }

    long elementBytes() {
        return dtype.sizeBytes(elements);
    }

    int sizeBytes() {
        return fixedBytes() + arrayBytes();
    }

    private int columns() {
        return indexed ? 2 : 1;
    }

    /** Of the bits that tell which columns are null, and a word for each column. */
    private int fixedBytes() {
        return UnsafeRow.calculateBitSetWidthInBytes(columns()) + Long.BYTES * columns();
    }

    private int headerBytes() {
        return UnsafeArrayData.calculateHeaderPortionInBytes(elements);
    }

    private int arrayBytes() {
        return isArray ? ByteArrayMethods.roundNumberOfBytesToNearestWord((int) (headerBytes() + elementBytes())) : 0;
    }

    UnsafeRow blank() {
        byte[] bytes = new byte[sizeBytes()];
        UnsafeRow row = new UnsafeRow(columns());
        row.pointTo(bytes, bytes.length);
        if (isArray) {
            row.setLong(columns() - 1, (long) fixedBytes() << Integer.SIZE | arrayBytes());
            Platform.putLong(bytes, Platform.BYTE_ARRAY_OFFSET + fixedBytes(), elements);
        }
        return row;
    }

    /** Gives a row its place, and the elements that lie at an address, row-major. */
    void fill(UnsafeRow row, long index, long address) {
        if (indexed) {
            row.setLong(0, index);
        }
        int place = isArray ? fixedBytes() + headerBytes() : fixedBytes() - Long.BYTES;
        Platform.copyMemory(null, address, row.getBaseObject(), row.getBaseOffset() + place, elementBytes());
    }

    /** The dtype of the elements as a column of a table has them. */
    static DType stored(DType dtype) {
        return new CellType(dtype, 0, null).stored();
    }
}
