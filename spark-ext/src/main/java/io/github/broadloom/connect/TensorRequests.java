package io.github.broadloom.connect;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * A format whose options are a {@link Request}, and whose only row is the {@link Answer}. Reading it needs neither a job nor a plugin of Spark Connect: {@code
 * spark.read.format("io.github.broadloom.connect.TensorRequests").options(verb="call", text="_0 + 1", operands="x", id="y").load()}, as {@code _connect.py} of the Python
 * package does.
 */
public final class TensorRequests implements TableProvider {
    /** Made by Spark, by the name of the class. */
    public TensorRequests() {}

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return Answer.COLUMNS;
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new Requested();
    }

    private record Requested() implements SupportsRead {
        @Override
        public String name() {
            return "broadloom request";
        }

        /** Its successor is not required by Spark 4.0. */
        @Override
        @SuppressWarnings("deprecation")
        public StructType schema() {
            return Answer.COLUMNS;
        }

        @Override
        public Set<TableCapability> capabilities() {
            return Set.of(TableCapability.BATCH_READ);
        }

        @Override
        public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
            Request request = new Request(SparkSession.active(), options);
            return () -> new Once(request);
        }
    }

    /** However often Spark asks for the rows, the request is done once. */
    private static final class Once implements Scan, LocalScan {
        private final Request request;
        private @Nullable Answer answer;

        Once(Request request) {
            this.request = request;
        }

        @Override
        public StructType readSchema() {
            return Answer.COLUMNS;
        }

        @Override
        public synchronized InternalRow[] rows() {
            Answer found = answer == null ? request.answer() : answer;
            answer = found;
            return new InternalRow[] {found.row()};
        }
    }
}
