package io.github.broadloom.sql.nearest;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.UnaryOperator;
import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;
import scala.jdk.javaapi.CollectionConverters;

/** What a task of {@link NearestPartsExec} does: searches its rows for all left rows. The first task tells of each left row that it is there. */
final class PartSearch implements PartitionEvaluatorFactory<InternalRow, InternalRow> {
    private static final long serialVersionUID = 1;

    /** A partition has fewer rows than that many bits can number. */
    private static final int ROW_BITS = 33;

    private final NearestTask task;
    private final Broadcast<InternalRow[]> left;
    private final StructType types;
    private final int rightColumns;
    private final NearestMetrics metrics;

    /** @param types of the rows that come out */
    PartSearch(
            NearestTask task,
            Broadcast<InternalRow[]> left,
            StructType types,
            int rightColumns,
            NearestMetrics metrics) {
        this.task = task;
        this.left = left;
        this.types = types;
        this.rightColumns = rightColumns;
        this.metrics = metrics;
    }

    @Override
    public PartitionEvaluator<InternalRow, InternalRow> createEvaluator() {
        return (partition, inputs) ->
                CollectionConverters.asScala(new Work(partition, CollectionConverters.asJava(inputs.head())));
    }

    private final class Work implements Iterator<InternalRow> {
        private final BlockedSearch search = new BlockedSearch(task, left.value(), UnaryOperator.identity());
        private final InternalRow nobody = new GenericInternalRow(rightColumns);
        private final GenericInternalRow numbers = new GenericInternalRow(NearestPartsExec.NUMBERS);
        private final JoinedRow pair = new JoinedRow();
        private final JoinedRow joined = new JoinedRow();
        private final UnsafeProjection projection = UnsafeProjection.create(types);
        private final int firstPlace;
        private final long firstId;
        private int row;
        private int place;

        Work(int partition, Iterator<InternalRow> others) {
            boolean tellsAll = partition == 0 && task.spec().unmatched() == NearestSpec.Unmatched.KEEP;
            this.firstPlace = tellsAll ? -1 : 0;
            this.place = firstPlace;
            this.firstId = (long) partition << ROW_BITS;
            TaskContext.get().addTaskCompletionListener((TaskCompletionListener) ended -> search.close());
            long start = System.nanoTime();
            search.stream(others);
            search.end();
            metrics.count(search.left().length * search.streamed(), search.ranked(), start);
        }

        @Override
        public boolean hasNext() {
            while (row < search.left().length && place == search.count(row)) {
                row++;
                place = firstPlace;
            }
            return row < search.left().length;
        }

        @Override
        public InternalRow next() {
            if (!hasNext()) {
                throw new NoSuchElementException("Cannot take a row: there are no more");
            }
            InternalRow of = search.left()[row];
            numbers.setInt(0, row);
            InternalRow other = nobody;
            if (place < 0) {
                numbers.setNullAt(1);
                numbers.setNullAt(2);
            } else {
                numbers.setLong(1, search.key(row, place));
                numbers.setLong(2, firstId + search.id(row, place));
                other = search.nearest(row, place);
            }
            place++;
            metrics.rows().add(1);
            return projection.apply(joined.apply(numbers, pair.apply(of, other)));
        }
    }
}
