package io.github.broadloom.sql;

import io.github.broadloom.device.CurrentGpu;
import io.github.broadloom.device.Devices;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.jobs.TaskGpu;
import io.github.broadloom.table.CellReader;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.Device;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/** What a task of {@link TensorBatchExec} does: gathers rows, evaluates, and hands them on with the values behind them. */
final class TensorBatchTask implements PartitionEvaluatorFactory<InternalRow, InternalRow> {
    private static final long serialVersionUID = 1;

    static final String ROWS = "numOutputRows";
    static final String BATCHES = "numBatches";
    static final String NANOS = "kernelTime";

    /** Of small cells: what is gained by more is little, and a limit above has not long to wait. */
    private static final int MOST_ROWS = 8192;

    private static final InternalRow NOTHING = InternalRow.empty();

    @SuppressWarnings("serial") // ArrayLists
    private final List<Expression> through;

    @SuppressWarnings("serial")
    private final List<Expression> cells;

    private final BatchProgram program;
    private final BatchSettings settings;
    private final SQLMetric rows;
    private final SQLMetric batches;
    private final SQLMetric nanos;

    /** @param functions over the rows that come; what several of them read is read once */
    TensorBatchTask(
            List<Expression> through,
            List<TensorFunction> functions,
            BatchSettings settings,
            SQLMetric rows,
            SQLMetric batches,
            SQLMetric nanos) {
        this.through = through;
        Fusion fusion = Fusion.of(functions);
        this.cells = fusion.cells();
        this.program = fusion.program();
        this.settings = settings;
        this.rows = rows;
        this.batches = batches;
        this.nanos = nanos;
    }

    @Override
    public PartitionEvaluator<InternalRow, InternalRow> createEvaluator() {
        return (partition, inputs) -> CollectionConverters.asScala(begin(CollectionConverters.asJava(inputs.head())));
    }

    private Iterator<InternalRow> begin(Iterator<InternalRow> input) {
        Work work = new Work(input);
        TaskContext.get().addTaskCompletionListener((TaskCompletionListener) ended -> work.close());
        return work;
    }

    private final class Work implements Iterator<InternalRow> {
        private final Iterator<InternalRow> input;
        private final @Nullable UnsafeProjection projection = projection();
        private final CellBatch batch =
                new CellBatch(program, Devices.backend(Device.of(settings.device())), settings.bytes());
        private final RowCells rowCells = new RowCells(cells, program.cells());
        private final @Nullable Object[] given = new Object[cells.size()];
        private final GenericInternalRow values =
                new GenericInternalRow(new Object[program.programs().size()]);
        private final Deque<InternalRow> waiting = new ArrayDeque<>();
        private final JoinedRow joined = new JoinedRow();
        private long waitingBytes;
        private boolean isClosed;

        Work(Iterator<InternalRow> input) {
            this.input = input;
        }

        /** Spark may read in one thread while the task ends in another, as where rows go to a script. */
        @Override
        public synchronized boolean hasNext() {
            if (waiting.isEmpty() && !isClosed) {
                if (input.hasNext()) {
                    gather();
                } else {
                    close(); // a task may have thousands of partitions still before it
                }
            }
            return !waiting.isEmpty();
        }

        private boolean isFull() {
            return waiting.size() == MOST_ROWS || batch.isFull() || waitingBytes >= settings.bytes();
        }

        private void gather() {
            Cancellation.check();
            waitingBytes = 0;
            while (!isFull() && input.hasNext()) {
                InternalRow row = input.next();
                rowCells.read(row, given);
                batch.add(given);
                waiting.add(carried(row));
            }
            long start = System.nanoTime();
            try (CurrentGpu.Scope gpu = TaskGpu.use(TaskContext.get())) {
                batch.evaluate();
            }
            nanos.add(System.nanoTime() - start);
            batches.add(1);
            rows.add(waiting.size());
        }

        /** What copies the columns that go through; where none do, no code is made for it. */
        private @Nullable UnsafeProjection projection() {
            return through.isEmpty() ? null : UnsafeProjection.create(Scala.seq(through));
        }

        private InternalRow carried(InternalRow row) {
            if (projection == null) {
                return NOTHING;
            }
            UnsafeRow carried = projection.apply(row);
            waitingBytes += carried.getSizeInBytes();
            return carried.copy();
        }

        @Override
        public synchronized InternalRow next() {
            if (!hasNext()) {
                throw new NoSuchElementException("Cannot take a row: there are no more");
            }
            batch.next(values.values());
            InternalRow carried = waiting.remove();
            return carried == NOTHING ? values : joined.apply(carried, values);
        }

        synchronized void close() {
            isClosed = true;
            waiting.clear();
            batch.close();
        }
    }

    /** The cells of one row after the other. Those of columns, by far the most, are taken from the row as they lie there. */
    private static final class RowCells {
        private static final int EVALUATED = -1;

        private final Expression[] cells;
        private final CellReader[] readers;
        /** The column of each cell that is one; else {@link #EVALUATED}. */
        private final int[] columns;

        RowCells(List<Expression> cells, List<CellReader> readers) {
            this.cells = cells.toArray(Expression[]::new);
            this.readers = readers.toArray(CellReader[]::new);
            this.columns = cells.stream().mapToInt(RowCells::column).toArray();
        }

        private static int column(Expression cell) {
            return cell instanceof BoundReference column ? column.ordinal() : EVALUATED;
        }

        /** The cells of a row, null where it has none; they are valid as long as the row is. */
        void read(InternalRow row, @Nullable Object[] into) {
            for (int i = 0; i < columns.length; i++) {
                int column = columns[i];
                into[i] = column == EVALUATED ? cells[i].eval(row) : readers[i].cell(row, column);
            }
        }
    }
}
