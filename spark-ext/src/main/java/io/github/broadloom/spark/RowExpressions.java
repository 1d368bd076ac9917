package io.github.broadloom.spark;

import io.github.broadloom.sql.TensorUdf;
import io.github.broadloom.table.NamedColumn;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.ListMap;
import scala.jdk.javaapi.CollectionConverters;

/** Expressions over some columns of a table, which they know by other names. */
record RowExpressions(Dataset<Row> table, Map<String, Column> inputs) {

    static RowExpressions of(Dataset<Row> table, Map<String, String> names) {
        Map<String, Column> inputs = new LinkedHashMap<>();
        names.forEach((name, column) -> inputs.put(name, NamedColumn.of(table, column, "read")));
        return new RowExpressions(table, inputs);
    }

    Dataset<Row> compute(Map<String, String> outputs) {
        Map<String, Column> columns = new LinkedHashMap<>();
        outputs.forEach((name, text) -> columns.put(name, value(name, text)));
        return table.withColumns(ListMap.from(CollectionConverters.asScala(columns))); // in their order
    }

    private Column value(String output, String text) {
        TensorUdf function = TensorUdf.of(text);
        return function.apply(function.arguments().stream()
                .map(name -> input(output, text, name))
                .toArray(Column[]::new));
    }

    private Column input(String output, String text, String name) {
        @Nullable Column input = inputs.get(name);
        if (input == null) {
            throw new IllegalArgumentException("Cannot compute column " + output + ": " + name + " in '" + text
                    + "' is none of the inputs " + String.join(", ", inputs.keySet()));
        }
        return input;
    }
}
