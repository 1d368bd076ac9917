package io.github.broadloom.bench;

import io.github.broadloom.tensor.Device;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * A job of Spark, with as many tasks as {@link Table} has, that does nothing but to copy the bytes of the operands once, from one warm buffer to another: what any job that moves them takes
 * at least. Its tasks have to run in this JVM.
 */
final class SparkCopyContender implements TurnTaker {
    /** What the tasks of this JVM copy. */
    private static final AtomicReference<CopyLimit.@Nullable Buffers> SHARED = new AtomicReference<>();

    private final SparkSession session;
    private final int tasks;

    SparkCopyContender(SparkSession session, int threads) {
        this.session = session;
        this.tasks = Table.partitions(threads);
    }

    @Override
    public String who() {
        return Measurement.SPARK_COPY;
    }

    @Override
    public boolean takes(Workload workload) {
        return workload.queries().containsKey(Measurement.SPARK_COPY);
    }

    @Override
    public Turn prepare(Workload workload, Rounds rounds) {
        CopyLimit.Buffers buffers = CopyLimit.Buffers.of(workload.operandBytes(), Device.CPU);
        List<Integer> parts = IntStream.range(0, tasks).boxed().toList();
        JavaRDD<Integer> job =
                JavaSparkContext.fromSparkContext(session.sparkContext()).parallelize(parts, tasks);
        return new Turn() {
            @Override
            public void call() {
                SHARED.set(buffers);
                copy(job, tasks);
            }

            /** There is no answer: nothing is computed. */
            @Override
            public Outcome outcome(Seconds seconds) {
                SHARED.set(null);
                buffers.release();
                return Outcome.measured(seconds, session.version());
            }
        };
    }

    private static void copy(JavaRDD<Integer> job, int tasks) {
        job.foreach(part -> Objects.requireNonNull(SHARED.get()).copy(part, tasks));
    }
}
