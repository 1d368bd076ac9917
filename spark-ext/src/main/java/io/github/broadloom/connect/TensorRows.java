package io.github.broadloom.connect;

import io.github.broadloom.spark.DistributedTensor;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.RelationProvider;
import org.apache.spark.sql.sources.TableScan;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Map;

/** A format whose table is {@link DistributedTensor#toDataFrame(String, String)} of the tensor that the option {@code on} names, with the columns {@code index}, if it is given, and {@code value}. */
public final class TensorRows implements RelationProvider {
    /** Made by Spark, by the name of the class. */
    public TensorRows() {}

    @Override
    public BaseRelation createRelation(SQLContext context, Map<String, String> options) {
        DistributedTensor x = SessionTensors.of(context.sparkSession()).get(options.apply("on"));
        String value = options.apply("value");
        Dataset<Row> rows =
                options.contains("index") ? x.toDataFrame(options.apply("index"), value) : x.toDataFrame(value);
        return new Rows(context, rows);
    }

    private static final class Rows extends BaseRelation implements TableScan {
        private final SQLContext context;
        private final Dataset<Row> rows;

        Rows(SQLContext context, Dataset<Row> rows) {
            this.context = context;
            this.rows = rows;
        }

        @Override
        public SQLContext sqlContext() {
            return context;
        }

        @Override
        public StructType schema() {
            return rows.schema();
        }

        /** So that the rows pass as they are. */
        @Override
        public boolean needConversion() {
            return false;
        }

        @Override
        @SuppressWarnings("unchecked")
        public RDD<Row> buildScan() {
            return (RDD<Row>) (RDD<?>) ((org.apache.spark.sql.classic.Dataset<Row>) rows)
                    .queryExecution()
                    .toRdd();
        }
    }
}
