package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.metrics.MetricTotals;
import io.github.broadloom.exec.metrics.TaskMetric;
import io.github.broadloom.io.NpyHeader;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of files of 10 GB, which take no room on the disk, what is read is counted. */
class LargeFilesTest {
    private static final Shape SHAPE = Shape.of(10_240, 1024, 256);
    private static final long BYTES = DType.FLOAT32.sizeBytes(SHAPE.numel());
    private static final long ROW_BYTES = BYTES / 10_240;
    private static final int PLACE = 4321;

    @TempDir
    Path folder;

    private static long fileBytes(DistributedTensor tensor) {
        return tensor.lastRun().orElseThrow().figures().fileBytes();
    }

    /** One row has numbers, and all others are holes. */
    private Path npy() throws IOException {
        Path file = folder.resolve("x.npy");
        NpyHeader header = NpyHeader.of(DType.FLOAT32, SHAPE);
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.write(header.encode());
            out.setLength(header.dataOffset() + BYTES);
            ByteBuffer row = ByteBuffer.allocate((int) ROW_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; row.hasRemaining(); i++) {
                row.putFloat(i);
            }
            out.seek(header.dataOffset() + PLACE * ROW_BYTES);
            out.write(row.array());
        }
        return file;
    }

    /** Chunks of eight rows, all of which are one file. */
    private Path zarr() throws IOException {
        Path store = folder.resolve("x.zarr");
        Shape chunk = Shape.of(8, 1024, 256);
        Tensor rows = Tensors.arange(chunk.numel()).view(chunk.toArray()).to(DType.FLOAT32);
        LocalSpark.broadloom()
                .tensor(rows)
                .writeZarr(store.toString(), WriteMode.CREATE, ZarrOptions.DEFAULT.withChunk(chunk));
        for (int i = 1; i < SHAPE.size(0) / 8; i++) {
            Files.createLink(store.resolve("c." + i + ".0.0"), store.resolve("c.0.0.0"));
        }
        Path json = store.resolve("zarr.json");
        Files.writeString(json, Files.readString(json).replaceFirst("\\[ *8, 1024, 256 *]", "[10240, 1024, 256]"));
        return store;
    }

    private static Tensor counting(long first) {
        return Tensors.arange(first, first + 1024 * 256, 1).view(1024, 256).to(DType.FLOAT32);
    }

    @Test
    void aRowOfANpyFileReadsThatRow() throws IOException {
        DistributedTensor row = LocalSpark.broadloom().read(npy().toString()).select(0, PLACE);
        Bits.assertSame(row.collect(), counting(0));
        assertThat(fileBytes(row)).isEqualTo(ROW_BYTES);
    }

    /** No more than one task's block of chunks, which makes a 640th. */
    @Test
    void aRowOfAStoreReadsTheChunksWithIt() throws IOException {
        Path store = zarr();
        DistributedTensor x = LocalSpark.broadloom().read(store.toString());
        assertThat(x.shape()).isEqualTo(SHAPE);
        DistributedTensor row = x.select(0, PLACE);
        Bits.assertSame(row.collect(), counting(PLACE % 8 * 1024 * 256));
        long chunkBytes = Files.size(store.resolve("c.0.0.0"));
        assertThat(fileBytes(row)).isEqualTo(chunkBytes);
        DistributedTensor column = x.select(2, 0).narrow(0, 0, 8);
        column.collect();
        assertThat(fileBytes(column)).isEqualTo(chunkBytes);
    }

    /** The metadata alone is read, where no elements are wanted. */
    @Test
    void aTableOfAStoreReadsTheChunksOfItsRange() throws IOException {
        Path store = zarr();
        Dataset<Row> table = LocalSpark.session().read().format("tensor").load(store.toString());
        long before = MetricTotals.of(TaskMetric.FILE_BYTES);
        assertThat(table.selectExpr("count(*)", "sum(index)").head().toString())
                .isEqualTo("[10240," + 10_240L * 10_239 / 2 + "]");
        assertThat(MetricTotals.of(TaskMetric.FILE_BYTES) - before).isZero();
        assertThat(table.where("index BETWEEN 4320 AND 4327")
                        .selectExpr("sum(value[0][1])")
                        .head()
                        .getDouble(0))
                .isEqualTo(28.0 * 1024 * 256 + 8);
        assertThat(MetricTotals.of(TaskMetric.FILE_BYTES) - before).isEqualTo(Files.size(store.resolve("c.0.0.0")));
    }
}
