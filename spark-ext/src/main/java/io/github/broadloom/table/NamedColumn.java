package io.github.broadloom.table;

import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;

/** Columns by the names that users give. */
public final class NamedColumn {
    private NamedColumn() {}

    /**
     * The column of that very name.
     *
     * @param action what is done with it, for the message
     * @throws IllegalArgumentException naming the table, where it has a name, and the columns that there are, where it is none of them
     */
    public static Column of(Dataset<Row> table, String name, String action) {
        if (!List.of(table.columns()).contains(name)) {
            throw new IllegalArgumentException("Cannot " + action + " column " + name + ": " + called(table) + " has "
                    + String.join(", ", table.columns()));
        }
        return table.col("`" + name.replace("`", "``") + "`");
    }

    private static String called(Dataset<Row> table) {
        return table.queryExecution().analyzed() instanceof SubqueryAlias named ? named.alias() : "the table";
    }
}
