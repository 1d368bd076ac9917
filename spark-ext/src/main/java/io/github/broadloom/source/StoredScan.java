package io.github.broadloom.source;

import io.github.broadloom.exec.read.FileSource;
import io.github.broadloom.exec.read.LocalSource;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.Source;
import io.github.broadloom.tensor.Box;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructType;

/**
 * What a query reads of a stored tensor: a partition for each chunk that has some of the rows.
 *
 * @param indexAt where the index is among the columns; less than 0 where it is not
 * @param valueAt where the elements are; less than 0 where they are not, and then no file is read
 */
record StoredScan(Source source, ChunkGrid chunks, RowRanges rows, StructType columns, int indexAt, int valueAt)
        implements Scan, Batch, SupportsReportStatistics {

    @Override
    public StructType readSchema() {
        return columns;
    }

    /** As Spark's plan shows it. */
    @Override
    public String description() {
        return source.origin() + ": " + source.dtype() + " " + source.shape() + ", rows [" + rows + "], "
                + rowBytes() * rows.count() + " bytes of it";
    }

    /** What a row has of the file. */
    private long rowBytes() {
        return valueAt < 0 ? 0 : source.dtype().sizeBytes(source.shape().inner().numel());
    }

    @Override
    public Statistics estimateStatistics() {
        long cell = valueAt < 0
                ? 0
                : StoredTable.cells(source)
                        .stored()
                        .sizeBytes(source.shape().inner().numel());
        return new Statistics() {
            @Override
            public OptionalLong sizeInBytes() {
                return OptionalLong.of(rows.count() * (Long.BYTES + cell));
            }

            @Override
            public OptionalLong numRows() {
                return OptionalLong.of(rows.count());
            }
        };
    }

    @Override
    public Batch toBatch() {
        return this;
    }

    @Override
    public InputPartition[] planInputPartitions() {
        List<InputPartition> partitions = new ArrayList<>();
        for (int i = 0; i < chunks.chunks(); i++) {
            Box chunk = chunks.box(i);
            RowRanges own = rows.and(RowRanges.of(chunk.start(0), chunk.end(0)));
            if (own.count() > 0) {
                partitions.add(new StoredRows.Of(own, valueAt < 0 ? null : reader(chunk)));
            }
        }
        return partitions.toArray(InputPartition[]::new);
    }

    /** Of the rows of a chunk, in files, or of those that the driver has, which are sent. */
    private BlockReader reader(Box chunk) {
        if (source instanceof LocalSource local) {
            return local.sent(chunk);
        }
        return ((FileSource) source).reader().ofRows(chunk.start(0), chunk.end(0));
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new StoredRows.Factory(source.dtype(), source.shape(), indexAt, valueAt);
    }

    @Override
    public CustomMetric[] supportedCustomMetrics() {
        return new CustomMetric[] {new FileBytesMetric()};
    }
}
