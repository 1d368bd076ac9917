package io.github.broadloom.sql;

import io.github.broadloom.table.CellReader;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.jspecify.annotations.Nullable;

/** The cells of one row after the other. Those of columns, by far the most, are taken from the row as they lie there. */
final class RowCells {
    private static final int EVALUATED = -1;

    private final Expression[] cells;
    private final CellReader[] readers;
    /** The column of each cell that is one; else {@link #EVALUATED}. */
    private final int[] columns;

    /**
     * The cells of rows.
     *
     * @param cells over the rows that come
     * @param readers of these cells
     */
    RowCells(List<Expression> cells, List<CellReader> readers) {
        this.cells = cells.toArray(Expression[]::new);
        this.readers = readers.toArray(CellReader[]::new);
        this.columns = cells.stream().mapToInt(RowCells::column).toArray();
    }

    private static int column(Expression cell) {
        return cell instanceof BoundReference column ? column.ordinal() : EVALUATED;
    }

    /** The cells of a row, null where it has none; they are valid as long as the row is. */
    void read(InternalRow row, @Nullable Object[] into) {
        for (int i = 0; i < columns.length; i++) {
            int column = columns[i];
            into[i] = column == EVALUATED ? cells[i].eval(row) : readers[i].cell(row, column);
        }
    }
}
