package io.github.broadloom.sql.nearest;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.table.CellType;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;

/** A function of tensors, of which a ranking may be made: its value for a row is an expression over cells. */
public interface TensorRanking {
    /** What it makes of a row, with the functions among its arguments. */
    RowValue rowValue();

    /** The value of a function for a row, a cell of its type. */
    @FunctionalInterface
    interface Value extends Serializable {
        /** @throws IllegalArgumentException naming the function and its arguments, where the shapes do not go together */
        Expr over(List<? extends Expr> cells);
    }

    /**
     * The value for a row.
     *
     * @param cells what it reads of the row
     * @param types as what it takes each of them
     */
    record RowValue(List<Expression> cells, List<CellType> types, Value value) {}
}
