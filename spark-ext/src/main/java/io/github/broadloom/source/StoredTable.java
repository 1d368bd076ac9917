package io.github.broadloom.source;

import io.github.broadloom.exec.write.TensorTable;
import io.github.broadloom.plan.Source;
import io.github.broadloom.table.CellType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.V1Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A file that holds one tensor, as a table. It is opened when a query reads it, so that it may be written, or written over, after the table was made.
 *
 * @param schema what Spark was told when the table was made
 */
record StoredTable(TensorDataSource format, StructType schema, Map<String, String> properties)
        implements SupportsRead, SupportsWrite {

    /** The index, and numbers or arrays nested as deep as a row has dimensions. */
    static StructType schema(Source source, TableOptions options) {
        TensorTable.check(source.shape(), options.index(), options.value(), source.name());
        return new StructType()
                .add(options.index(), DataTypes.LongType, false)
                .add(options.value(), cells(source).dataType(), false);
    }

    static CellType cells(Source source) {
        return new CellType(source.dtype(), source.shape().rank() - 1, null);
    }

    @Override
    public String name() {
        return format.shortName() + " " + properties.getOrDefault("path", "");
    }

    /** Its successor is not required by Spark 4.0. */
    @Override
    @SuppressWarnings("deprecation")
    public StructType schema() {
        return schema;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return Set.of(TableCapability.BATCH_READ, TableCapability.V1_BATCH_WRITE, TableCapability.TRUNCATE);
    }

    /** @throws IllegalArgumentException where the file holds something else than the table was made for */
    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap ofScan) {
        TableOptions options = options(ofScan);
        Source source = format.open(options);
        StructType found = schema(source, options);
        if (!found.simpleString().equals(schema.simpleString())) {
            throw new IllegalArgumentException("Cannot read " + options.path() + " as " + schema.simpleString()
                    + ": it holds " + found.simpleString() + "; make the table again, without columns");
        }
        return new StoredScanBuilder(source, options, schema);
    }

    private TableOptions options(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(new CaseInsensitiveStringMap(properties));
        all.putAll(new CaseInsensitiveStringMap(more));
        return format.options(all);
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
        return new Insertion(options(info.options()));
    }

    /** INSERT, which appends unless it is told to overwrite. */
    private final class Insertion implements SupportsTruncate {
        private final TableOptions options;
        private SaveMode mode = SaveMode.Append;

        Insertion(TableOptions options) {
            this.options = options;
        }

        @Override
        public WriteBuilder truncate() {
            mode = SaveMode.Overwrite;
            return this;
        }

        @Override
        public V1Write build() {
            return () -> (table, overwrite) -> format.write(table, options, mode);
        }
    }
}
