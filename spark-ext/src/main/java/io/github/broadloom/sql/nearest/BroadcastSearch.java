package io.github.broadloom.sql.nearest;

import io.github.broadloom.nearest.SideRows;
import java.util.Iterator;
import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.jdk.javaapi.CollectionConverters;

/** What a task does whose executor has all of the right side: searches it for the rows that come, some at a time. */
final class BroadcastSearch implements PartitionEvaluatorFactory<InternalRow, InternalRow> {
    private static final long serialVersionUID = 1;

    /** What searches read of rows that were broadcast, which the tasks that run at a time share. */
    private static final SharedReads READ = new SharedReads();

    private final NearestTask task;
    private final JoinedOutput output;
    private final Broadcast<InternalRow[]> right;
    private final NearestMetrics metrics;

    BroadcastSearch(NearestTask task, JoinedOutput output, Broadcast<InternalRow[]> right, NearestMetrics metrics) {
        this.task = task;
        this.output = output;
        this.right = right;
        this.metrics = metrics;
    }

    @Override
    public PartitionEvaluator<InternalRow, InternalRow> createEvaluator() {
        return (partition, inputs) ->
                CollectionConverters.asScala(new Work(CollectionConverters.asJava(inputs.head())).closedWithTask());
    }

    private final class Work extends BatchSearch {
        private final Iterator<InternalRow> input;
        private final InternalRow[] others = right.value();
        private final SideRows read = READ.acquire(others, task, search);

        Work(Iterator<InternalRow> input) {
            super(task, output, metrics);
            this.input = input;
        }

        @Override
        int search() {
            while (hasRoom() && input.hasNext()) {
                take(input.next().copy());
            }
            return search(others, read);
        }

        @Override
        void close() {
            search.close();
            READ.release(read);
        }
    }
}
