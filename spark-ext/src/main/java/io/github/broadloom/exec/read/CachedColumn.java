package io.github.broadloom.exec.read;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.columnar.CachedBatch;
import org.apache.spark.sql.execution.columnar.DefaultCachedBatch;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The arrays of one column of a table that Spark keeps in memory, where they lie there: Spark's own scan would copy each of them twice on its way.
 *
 * <p>A batch has a buffer for each column, of Spark's {@code ComplexColumnBuilder}: the number of nulls, their places, and of each other cell its length in bytes and
 * the bytes of an {@link UnsafeArrayData}.
 */
record CachedColumn(int column) implements PartitionEvaluatorFactory<CachedBatch, InternalRow> {

    /** Passes over the rows that are left. Those of a table in memory are not looked at: each of its batches knows how many it has. */
    static long passOver(Iterator<InternalRow> rows) {
        if (rows instanceof Cells cells) {
            return cells.passOver();
        }
        long passed = 0;
        for (; rows.hasNext(); rows.next()) {
            passed++;
        }
        return passed;
    }

    @Override
    public PartitionEvaluator<CachedBatch, InternalRow> createEvaluator() {
        return (partition, batches) ->
                CollectionConverters.asScala(new Cells(CollectionConverters.asJava(batches.head())));
    }

    private final class Cells implements Iterator<InternalRow> {
        private final Iterator<CachedBatch> batches;
        private final UnsafeArrayData array = new UnsafeArrayData();
        private final GenericInternalRow row = new GenericInternalRow(1);
        private @Nullable Buffer buffer;

        Cells(Iterator<CachedBatch> batches) {
            this.batches = batches;
        }

        @Override
        public boolean hasNext() {
            while ((buffer == null || !buffer.hasNext()) && batches.hasNext()) {
                DefaultCachedBatch batch = (DefaultCachedBatch) batches.next();
                buffer = new Buffer(batch.buffers()[column], batch.numRows());
            }
            return buffer != null && buffer.hasNext();
        }

        @Override
        public InternalRow next() {
            if (!hasNext() || buffer == null) {
                throw new NoSuchElementException();
            }
            row.update(0, buffer.next(array) ? array : null);
            return row;
        }

        long passOver() {
            long passed = buffer == null ? 0 : buffer.rows - buffer.row;
            buffer = null;
            while (batches.hasNext()) {
                passed += batches.next().numRows();
            }
            return passed;
        }
    }

    private static final class Buffer {
        private final byte[] bytes;
        private final int rows;
        private final int nulls;
        private int row;
        private int nullsSeen;
        private int position;

        Buffer(byte[] bytes, int rows) {
            this.bytes = bytes;
            this.rows = rows;
            this.nulls = integer(0);
            this.position = Integer.BYTES * (1 + nulls);
        }

        boolean hasNext() {
            return row < rows;
        }

        /** Lets an array be the next cell; false where that is null. */
        boolean next(UnsafeArrayData array) {
            int place = row++;
            if (nullsSeen < nulls && integer(Integer.BYTES * (1 + nullsSeen)) == place) {
                nullsSeen++;
                return false;
            }
            int length = integer(position);
            position += Integer.BYTES;
            array.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET + position, length);
            position += length;
            return true;
        }

        private int integer(int place) {
            return Platform.getInt(bytes, Platform.BYTE_ARRAY_OFFSET + place);
        }
    }
}
