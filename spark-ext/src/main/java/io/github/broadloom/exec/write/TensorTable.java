package io.github.broadloom.exec.write;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellType;
import io.github.broadloom.table.TensorColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeMap$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.LogicalRDD;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.math.BigInt;

/** A tensor as a table with a row for each index of its leading dimension, in order, and a partition for each chunk. */
public final class TensorTable {
    private final Expr cells;
    private final StructType schema;

    /**
     * The table of a tensor; nothing runs.
     *
     * @param index the name of the column that tells a row's place; null for none
     * @param value the name of the column of the elements
     * @param name of the tensor, for messages
     * @throws IllegalArgumentException where it has no dimension, or both columns have one name
     */
    public TensorTable(Expr expr, @Nullable String index, String value, String name) {
        check(expr.shape(), index, value, name);
        this.cells = Expr.cast(expr, RowFormat.stored(expr.dtype()));
        List<StructField> columns = new ArrayList<>();
        if (index != null) {
            columns.add(new StructField(index, DataTypes.LongType, false, Metadata.empty()));
        }
        columns.add(column(value, cells.dtype(), expr.shape().inner()));
        this.schema = new StructType(columns.toArray(StructField[]::new));
    }

    /**
     * Refuses what can be no table.
     *
     * @throws IllegalArgumentException where the tensor has no dimension, or both columns have one name
     */
    public static void check(Shape shape, @Nullable String index, String value, String name) {
        if (shape.rank() == 0) {
            throw new IllegalArgumentException(
                    "Cannot make a table of " + name + ": it has no dimension, so no rows; unsqueeze(0) gives it one");
        }
        if (value.equalsIgnoreCase(index)) {
            throw new IllegalArgumentException(
                    "Cannot make a table of " + name + ": both columns would be called " + value);
        }
    }

    /** Numbers, or flat arrays whose shape the metadata declares. */
    private static StructField column(String name, DType dtype, Shape cell) {
        DataType number = new CellType(dtype, 0, null).dataType();
        return cell.rank() == 0
                ? new StructField(name, number, false, Metadata.empty())
                : new StructField(
                        name,
                        DataTypes.createArrayType(number, false),
                        false,
                        TensorColumn.declaring(cell, Metadata.empty()));
    }

    public Expr cells() {
        return cells;
    }

    /**
     * The table. What has to run before its chunks are there runs with the first job that reads the table, and what makes a chunk with each.
     *
     * @param chunkCount how many chunks there are
     * @param chunks of the {@link #cells}, of whole rows; asked for when the first job needs them
     * @param name of the tensor, by which Spark's plans show the table
     * @throws IllegalArgumentException where a row is larger than one of Spark's can be
     */
    public Dataset<Row> dataset(SparkSession session, int chunkCount, Supplier<RDD<Block>> chunks, String name) {
        boolean indexed = schema.length() > 1;
        RowFormat format = new RowFormat(cells.dtype(), cells.shape().inner(), indexed);
        RowsRDD rows = new RowsRDD(session.sparkContext(), format, chunks);
        rows.setName("tensor " + name);
        List<Attribute> columns = List.copyOf(CollectionConverters.asJava(DataTypeUtils.toAttributes(schema)));
        Seq<SortOrder> order = Scala.seq(indexed ? List.of(ascending(columns.get(0))) : List.of());
        org.apache.spark.sql.classic.SparkSession classic = (org.apache.spark.sql.classic.SparkSession) session;
        LogicalRDD table = new LogicalRDD(
                Scala.seq(columns),
                rows,
                indexed ? new RangePartitioning(order, chunkCount) : new UnknownPartitioning(chunkCount),
                order,
                false,
                Option.empty(),
                classic,
                Option.apply(statistics(format)),
                Option.empty());
        return org.apache.spark.sql.classic.Dataset.ofRows(classic, table);
    }

    private static SortOrder ascending(Expression column) {
        return new SortOrder(
                column, Ascending$.MODULE$, Ascending$.MODULE$.defaultNullOrdering(), Scala.seq(List.of()));
    }

    private Statistics statistics(RowFormat format) {
        BigInt rows = BigInt.apply(cells.shape().size(0));
        return new Statistics(
                rows.$times(BigInt.apply(format.sizeBytes())),
                Option.apply(rows),
                AttributeMap$.MODULE$.empty(),
                false);
    }
}
