package io.github.broadloom.source;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.jobs.TaskScope;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.exec.metrics.TaskMetric;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.source.FileBytesMetric.Read;
import io.github.broadloom.table.CellType;
import io.github.broadloom.table.CellWriter;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.jspecify.annotations.Nullable;

/** In a task: the rows of one partition, range by range. Each is the same row, with other values, as of Spark's own scans. */
final class StoredRows implements PartitionReader<InternalRow> {
    private final Factory format;
    private final @Nullable BlockReader reader;
    private final Iterator<RowRanges.Range> ranges;
    private final TaskScope scope;
    private final GenericInternalRow row;
    /** Null where no elements are wanted. */
    private final @Nullable CellWriter cells;

    private final long cellBytes;
    private long place;
    private long end;
    /** Where the elements lie that the row has next. */
    private long address;

    private long fileBytes;

    /**
     * What one task reads.
     *
     * @param reader null where no elements are wanted
     */
    record Of(RowRanges rows, @Nullable BlockReader reader) implements InputPartition {}

    record Factory(DType dtype, Shape shape, int indexAt, int valueAt) implements PartitionReaderFactory {
        @Override
        public PartitionReader<InternalRow> createReader(InputPartition partition) {
            TaskContext context = TaskContext.get();
            TaskMeter.of(context);
            return new StoredRows(this, (Of) partition, TaskScope.of(context));
        }

        DType stored() {
            return new CellType(dtype, 0, null).stored();
        }
    }

    private StoredRows(Factory format, Of partition, TaskScope scope) {
        this.format = format;
        this.reader = partition.reader();
        this.ranges = partition.rows().ranges().iterator();
        this.scope = scope;
        this.row = new GenericInternalRow(Math.max(format.indexAt, format.valueAt) + 1);
        this.cells = reader == null
                ? null
                : new CellWriter(format.stored(), format.shape.inner().toArray());
        this.cellBytes = format.stored().sizeBytes(format.shape.inner().numel());
    }

    @Override
    public boolean next() throws IOException {
        place++;
        address += cellBytes;
        if (place < end) {
            return true;
        }
        scope.releaseAll();
        if (!ranges.hasNext()) {
            end = Long.MIN_VALUE;
            return false;
        }
        RowRanges.Range range = ranges.next();
        place = range.start();
        end = range.end();
        if (reader != null) {
            address = read(reader, range).address();
        }
        return true;
    }

    private Tensor read(BlockReader from, RowRanges.Range range) throws IOException {
        long before = TaskMeter.counted(TaskMetric.FILE_BYTES);
        Tensor read = scope.own(from.read(Box.whole(format.shape).with(0, range.start(), range.end())));
        fileBytes += TaskMeter.counted(TaskMetric.FILE_BYTES) - before;
        return scope.own(read.to(format.stored()).contiguous()); // itself as a rule, and owned once more does no harm
    }

    @Override
    public InternalRow get() {
        if (format.indexAt >= 0) {
            row.update(format.indexAt, place);
        }
        if (cells != null) {
            row.update(format.valueAt, cells.passing(address));
        }
        return row;
    }

    @Override
    public CustomTaskMetric[] currentMetricsValues() {
        return new CustomTaskMetric[] {new Read(fileBytes)};
    }

    @Override
    public void close() {
        scope.releaseAll();
    }
}
