package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;
import io.github.broadloom.table.CellType;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructField;
import scala.collection.Iterator;

/** Stacks the cells of a column: one copy of memory for each flat cell. */
final class TableReader implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final DType dtype;
    private final Shape cell;
    private final CellReader reader;

    TableReader(StructField field, CellType cells, Shape cell) {
        this.name = field.name();
        this.dtype = cells.dtype();
        this.cell = cell;
        this.reader = new CellReader("read column", name, cells);
    }

    /**
     * The cells of some rows, whose first column they are.
     *
     * @param count how many there must be
     * @throws IllegalArgumentException naming the row, where a cell is null or of another shape
     * @throws IllegalStateException where there are fewer rows, or more
     */
    Tensor read(Iterator<InternalRow> rows, long firstRow, long count) {
        return TensorBytes.filled(Tensors.empty(dtype, cell.withLeading(count)), tensor -> {
            long row = 0;
            long address = tensor.address();
            long bytes = dtype.sizeBytes(cell.numel());
            while (rows.hasNext()) {
                if (row == count) {
                    throw changed(count);
                }
                add(rows.next(), firstRow + row, address + row * bytes);
                row++;
            }
            if (row < count) {
                throw changed(count);
            }
        });
    }

    private void add(InternalRow row, long number, long address) {
        Object value = reader.cell(row, 0);
        if (value == null) {
            throw new IllegalArgumentException(
                    "Cannot read column " + name + ": row " + number + " is null; filter such rows out, or fill them");
        }
        if (!reader.hasShape(value, cell)) {
            throw new IllegalArgumentException("Cannot read column " + name + ": row " + number + " has the shape "
                    + reader.shape(value) + ", others have " + cell);
        }
        reader.read(value, cell, address);
    }

    private IllegalStateException changed(long count) {
        return new IllegalStateException("Cannot read column " + name + ": a partition that had " + count
                + " rows when they were counted has others now; cache the table, or write it to files, before it is"
                + " made a tensor");
    }
}
