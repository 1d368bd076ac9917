package io.github.broadloom.exec.read;

import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;
import io.github.broadloom.table.CellType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/** Counts the rows of a column, partition by partition, where Spark does not know them, and looks at the first cell of each, and at the keys by which the rows are ordered. */
final class TableScan implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final long PART_BYTES = 512;

    private final String name;
    /** Whether no cell has to tell its shape. */
    private final boolean knowsShape;

    private final CellReader reader;
    private final @Nullable RowKeys keys;

    /** @param keys of the rows; null where they are taken as they are */
    TableScan(StructField field, CellType cells, @Nullable RowKeys keys) {
        this.name = field.name();
        this.knowsShape = cells.declared() != null || cells.rank() == 0;
        this.keys = keys;
        this.reader = new CellReader("read column", name, cells);
    }

    /** What a partition has: the sizes of its first cell, what is wrong with the keys of its rows, and the first of them where they are places; null where there is none. */
    record Part(
            int partition,
            long rows,
            long @Nullable [] sizes,
            @Nullable String problem,
            @Nullable Long first) implements Serializable {
        @Nullable Shape cell() {
            return sizes == null ? null : Shape.of(sizes);
        }
    }

    /**
     * The partitions, in order. Where their rows are known, one partition is looked at, and none where the column tells its shape.
     *
     * @throws IllegalArgumentException where a row has no key, or not one of its own, or a place has no row
     */
    List<Part> parts(ColumnRows rows) {
        List<Part> parts =
                rows.counts().flatMap(counts -> known(rows.rdd(), counts)).orElseGet(() -> all(rows.rdd()));
        if (keys != null) {
            long rowsBefore = 0;
            for (Part part : parts) {
                keys.checkFirst(part.first, rowsBefore);
                if (part.problem != null) {
                    throw keys.refused(part.problem);
                }
                rowsBefore += part.rows;
            }
        }
        return parts;
    }

    private List<Part> all(RDD<InternalRow> rows) {
        return look(rows, IntStream.range(0, rows.getNumPartitions()).boxed().toList());
    }

    /** Nothing where a partition proves to have other rows, or no cell that is not null. */
    private Optional<List<Part>> known(RDD<InternalRow> rows, long[] counts) {
        List<Part> parts = IntStream.range(0, counts.length)
                .mapToObj(partition -> new Part(partition, counts[partition], null, null, null))
                .collect(Collectors.toCollection(ArrayList::new));
        Optional<Part> first = parts.stream().filter(part -> part.rows > 0).findFirst();
        if (first.isPresent() && !knowsShape) {
            int partition = first.get().partition;
            Part seen = look(rows, List.of(partition)).get(0);
            if (seen.rows != counts[partition] || seen.sizes == null) {
                return Optional.empty();
            }
            parts.set(partition, seen);
        }
        return Optional.of(parts);
    }

    private List<Part> look(RDD<InternalRow> rows, List<Integer> partitions) {
        JobRunner jobs = new JobRunner(rows.context());
        Map<Integer, Part> parts = new TreeMap<>();
        return jobs.described("broadloom: count the rows of " + name, () -> {
            jobs.run(
                    rows,
                    partitions,
                    this::scanned,
                    (partition, part) -> parts.put(partition, JavaBytes.read(part, Part.class)),
                    partition -> PART_BYTES);
            return List.copyOf(parts.values());
        });
    }

    /** In a task. */
    private byte[] scanned(TaskContext context, Iterator<InternalRow> given) {
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
        return JavaBytes.of(
                new Part(context.partitionId(), count, sizes, problem, check == null ? null : check.first()));
    }
}
