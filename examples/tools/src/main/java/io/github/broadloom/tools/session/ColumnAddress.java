package io.github.broadloom.tools.session;

import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tools.console.UserError;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A column whose rows are the rows of a tensor: {@code table:NAME.COLUMN} of a table that the session knows, or {@code FILE.parquet:COLUMN}, and so of a file, or a
 * folder of them, of ORC and JSON.
 *
 * @param file that it is in; empty for a table
 * @param source the table, or the format of the file
 */
record ColumnAddress(Optional<String> file, String source, String column) {
    private static final Pattern IN_TABLE = Pattern.compile("table:(.+)\\.([^.]+)");
    private static final Pattern IN_FILE = Pattern.compile("(.*\\.(parquet|orc|json)/?):([^/:]+)");

    /** Empty where the text names no column. */
    static Optional<ColumnAddress> of(String text) {
        Matcher table = IN_TABLE.matcher(text);
        if (table.matches()) {
            return Optional.of(new ColumnAddress(Optional.empty(), table.group(1), table.group(2)));
        }
        if (text.startsWith("table:")) {
            throw new UserError("Cannot read " + text + ": write table:NAME.COLUMN");
        }
        Matcher file = IN_FILE.matcher(text);
        return file.matches()
                ? Optional.of(new ColumnAddress(Optional.of(file.group(1)), file.group(2), file.group(3)))
                : Optional.empty();
    }

    /** The rows in the order in which Spark reads them. */
    DistributedTensor read(SparkSession session, Broadloom broadloom) {
        Dataset<Row> table = file.isPresent() ? session.read().format(source).load(file.get()) : session.table(source);
        return broadloom.fromDataFrame(table.as(file.orElse(source)), column); // refusals call it by that name
    }
}
