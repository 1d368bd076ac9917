package io.github.broadloom.exec;

import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;
import io.github.broadloom.table.CellType;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/** Counts the rows of a column, partition by partition, and looks at the first cell of each, and at the keys by which the rows are ordered. */
final class TableScan extends Scala.TaskFunction<InternalRow, byte[]> {
    private static final long serialVersionUID = 1L;
    /** About what a part takes. */
    private static final long PART_BYTES = 512;

    private final CellReader reader;
    private final @Nullable RowKeys keys;

    /** @param keys of the rows; null where they are taken as they are */
    TableScan(StructField field, CellType cells, @Nullable RowKeys keys) {
        this.keys = keys;
        this.reader = new CellReader("read column", field.name(), cells);
    }

    /**
     * What a partition has.
     *
     * @param sizes of its first cell; null where there is none
     * @param problem with the keys of its rows; null where there is none
     */
    record Part(
            int partition,
            long rows,
            long @Nullable [] sizes,
            @Nullable String problem) implements Serializable {
        private static final long serialVersionUID = 1L;

        @Nullable Shape cell() {
            return sizes == null ? null : Shape.of(sizes);
        }
    }

    /**
     * The partitions, in order.
     *
     * @throws IllegalArgumentException where a row has no key, or not one of its own
     */
    List<Part> parts(JobRunner jobs, RDD<InternalRow> rows) {
        Part[] parts = new Part[rows.getNumPartitions()];
        jobs.run(
                rows,
                this,
                (partition, part) -> parts[partition] = JavaBytes.read(part, Part.class),
                byte[].class,
                partition -> PART_BYTES);
        for (Part part : parts) {
            if (keys != null && part.problem != null) {
                throw keys.refused(part.problem);
            }
        }
        return List.of(parts);
    }

    @Override
    byte[] run(TaskContext context, Iterator<InternalRow> given) {
        java.util.Iterator<InternalRow> rows =
                CollectionConverters.asJava(given); // as it was made, where that was in Java
        long count = 0;
        long[] sizes = null;
        RowKeys.Check check = keys == null ? null : keys.new Check();
        String problem = null;
        while (rows.hasNext() && problem == null) {
            InternalRow row = rows.next();
            Object cell = sizes == null ? reader.cell(row, 0) : null;
            if (cell != null) {
                sizes = reader.shape(cell).toArray();
            }
            count++;
            if (check != null) {
                problem = check.problem(row);
            } else if (sizes != null) {
                count += CachedColumn.passOver(rows);
            }
        }
        return JavaBytes.of(new Part(context.partitionId(), count, sizes, problem));
    }
}
