package io.github.broadloom.source;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.formats.FileFormat;
import io.github.broadloom.exec.formats.FileFormats;
import io.github.broadloom.exec.jobs.SessionSettings;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.CreatableRelationProvider;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Tables that are arrays of whichever format is known, named by the option {@code format}, by the end of the path, or by what lies there:
 *
 * <pre>{@code
 * spark.read().format("tensor").load("era5.zarr:temperature").where("index < 24");   // reads the chunks of the first day
 * table.write().format("tensor").save("centred.zarr");
 * }</pre>
 *
 * <p>Spark reads by the second version of its interface. It writes by the first, which knows every mode of saving and gives the whole table: rows have to be
 * put in order and counted before the first of them is written.
 */
public class TensorDataSource implements TableProvider, DataSourceRegister, CreatableRelationProvider {
    /** Made by Spark, by the name of the class. */
    public TensorDataSource() {}

    @Override
    public String shortName() {
        return "tensor";
    }

    /** The format in which a table is written. */
    FileFormat written(TableOptions options) {
        return options.format().map(FileFormats::of).orElseGet(() -> FileFormats.ofNew(options.path()));
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        TableOptions known = options(options);
        return StoredTable.schema(open(known), known);
    }

    /** So that a table may be made before its file is there, and a table of a catalog is known without a look at it. */
    @Override
    public boolean supportsExternalMetadata() {
        return true;
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new StoredTable(this, schema, properties);
    }

    TableOptions options(Map<String, String> given) {
        return TableOptions.of(shortName(), given);
    }

    Source open(TableOptions options) {
        SparkSession session = SparkSession.active();
        try {
            return FileFormats.open(
                    options.path(),
                    options.reading(),
                    session.sparkContext(),
                    options.over(SessionSettings.of(session)));
        } catch (IOException e) {
            throw refused("Cannot read ", e);
        }
    }

    /** @param saving {@link SaveMode#Append} makes a file where there is none */
    void write(Dataset<Row> table, TableOptions options, SaveMode saving) {
        try {
            Location target = Location.of(options.path(), table.sparkSession().sparkContext());
            if (saving != SaveMode.Ignore || !target.exists()) {
                new TableWrite(this, table, options).run(mode(saving, target));
            }
        } catch (IOException e) {
            throw refused("Cannot write ", e);
        }
    }

    /** What is there already is refused before the table is looked at. */
    private static WriteMode mode(SaveMode saving, Location target) throws IOException {
        if (saving == SaveMode.Overwrite) {
            return WriteMode.OVERWRITE;
        }
        if (!target.exists()) {
            return WriteMode.CREATE;
        }
        if (saving == SaveMode.Append && target.isDirectory() && target.list().isEmpty()) {
            return WriteMode.OVERWRITE; // the folder that a catalog makes for its table
        }
        throw new IllegalArgumentException("Cannot "
                + (saving == SaveMode.Append ? "append to " : "write ") + target
                + ": it exists, and a tensor is written whole; overwrite it, or write to another path");
    }

    private static UncheckedIOException refused(String verb, IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return new UncheckedIOException(message.startsWith("Cannot ") ? message : verb + message, failure);
    }

    @Override
    public BaseRelation createRelation(
            SQLContext context,
            SaveMode mode,
            scala.collection.immutable.Map<String, String> parameters,
            Dataset<Row> table) {
        write(table, options(CollectionConverters.asJava(parameters)), mode);
        return new Written(context, table.schema());
    }

    /** By this Spark finds what it has cached of the file. */
    private static final class Written extends BaseRelation {
        private final SQLContext context;
        private final StructType schema;

        Written(SQLContext context, StructType schema) {
            this.context = context;
            this.schema = schema;
        }

        @Override
        public SQLContext sqlContext() {
            return context;
        }

        @Override
        public StructType schema() {
            return schema;
        }
    }
}
