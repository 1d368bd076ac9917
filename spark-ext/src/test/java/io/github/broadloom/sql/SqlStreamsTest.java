package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.spark.LocalSpark;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.ForeachWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream;
import org.apache.spark.sql.execution.streaming.sources.LowLatencyMemoryStream;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Structured streaming over twelve rows in three batches: id, a group of it by three, [id, id + 1], and ten seconds for each. */
class SqlStreamsTest extends SqlTest {
    private static int queries;

    @BeforeAll
    static void hasStreamsWhereTheTestsLookForThem() {
        LocalSpark.assumeSince("4.1", "streams from memory in this package");
    }

    private static Seq<Long> ids(long first, long end) {
        return CollectionConverters.asScala(LongStream.range(first, end).boxed().toList())
                .toSeq();
    }

    /** What comes out of a stream of all rows, in the order of the first column, a long. */
    private static List<Row> all(String mode, UnaryOperator<Dataset<Row>> work)
            throws TimeoutException, StreamingQueryException {
        MemoryStream<Long> source = MemoryStream.apply(Encoders.LONG(), spark);
        Dataset<Row> stream = source.toDF()
                .selectExpr(
                        "value as id",
                        "value % 3 as g",
                        "array(float(value), float(value + 1)) as a",
                        "timestamp_seconds(value * 10) as time");
        String name = "stream" + queries++;
        StreamingQuery query = work.apply(stream)
                .writeStream()
                .format("memory")
                .queryName(name)
                .outputMode(mode)
                .start();
        try {
            for (long batch = 0; batch < 3; batch++) {
                source.addData(ids(4 * batch, 4 * batch + 4));
                query.processAllAvailable();
            }
        } finally {
            query.stop();
        }
        return sorted(spark.table(name));
    }

    @Test
    void rowsGoThroughFunctions() throws Exception {
        List<Row> rows = all(
                "append",
                stream -> stream.where("tensor_eval('x.sum()', a) > 16")
                        .selectExpr("id", "tensor_eval('(x - m) / 2', a, 2) as y"));
        assertThat(rows)
                .extracting(row -> row.getList(1))
                .containsExactly(List.of(3f, 3.5f), List.of(3.5f, 4f), List.of(4f, 4.5f), List.of(4.5f, 5f));
    }

    /** The state of a group is kept from batch to batch. */
    @Test
    void groupsAreAggregated() throws Exception {
        List<Row> rows = all(
                "complete",
                stream -> stream.groupBy("g")
                        .agg(functions.expr("tensor_mean(a)"), functions.expr("tensor_sum(tensor_add(a, 1))")));
        assertThat(rows)
                .extracting(row -> row.getList(1))
                .containsExactly(List.of(4.5f, 5.5f), List.of(5.5f, 6.5f), List.of(6.5f, 7.5f));
        assertThat(rows)
                .extracting(row -> row.getList(2))
                .containsExactly(List.of(22f, 26f), List.of(26f, 30f), List.of(30f, 34f));
    }

    /** A window is told when the watermark has passed it: the last one is still open. */
    @Test
    void windowsAreAggregated() throws Exception {
        List<Row> rows = all(
                "append",
                stream -> stream.withWatermark("time", "10 seconds")
                        .groupBy(functions.window(functions.col("time"), "30 seconds"))
                        .agg(functions.expr("tensor_mean(a) as y"))
                        .selectExpr("unix_seconds(window.start)", "y"));
        assertThat(rows)
                .extracting(row -> row.getList(1))
                .containsExactly(List.of(1f, 2f), List.of(4f, 5f), List.of(7f, 8f));
    }

    @Test
    void aRowThatCannotBeEndsTheStreamWithASentence() {
        assertThatThrownBy(() -> all(
                        "append",
                        stream -> stream.where("id = 1")
                                .selectExpr("id", "tensor_add(a, transform(sequence(0, id + 1), i -> float(i))) as y")))
                .isInstanceOf(StreamingQueryException.class)
                .hasMessageContaining(
                        "terminated with exception: [FAILED_EXECUTE_UDF] User defined function (`tensor_add`:")
                .hasMessageContaining("Cannot call tensor_add with input[2], other[3]: The size of tensor a (2)")
                .hasMessageNotContaining("Job aborted");
    }

    /** No row waits for others until a batch is full. */
    @Test
    void rowsOfRealTimeComeAtOnce() throws Exception {
        LocalSpark.assumeSince("4.2", "streams of real time");
        LowLatencyMemoryStream<Long> source = LowLatencyMemoryStream.apply(spark, 1, Encoders.LONG());
        StreamingQuery query = source.toDF()
                .selectExpr("tensor_mul(array(value, 1), 2) as y")
                .writeStream()
                .foreach(new Arrivals())
                .outputMode("update")
                .trigger(Trigger.RealTime("10 minutes"))
                .start();
        try {
            source.addData(ids(3, 5));
            for (int tries = 0;
                    tries < 500 && Arrivals.ROWS.size() < 2 && query.exception().isEmpty();
                    tries++) {
                Thread.sleep(20);
            }
            assertThat(query.exception().isEmpty()).isTrue();
            assertThat(Arrivals.ROWS).containsExactly(List.of(6L, 2L), List.of(8L, 2L));
        } finally {
            query.stop();
        }
    }

    /** The rows that came, in this JVM. */
    private static final class Arrivals extends ForeachWriter<Row> {
        private static final long serialVersionUID = 1;
        private static final Queue<List<Long>> ROWS = new ConcurrentLinkedQueue<>();

        @Override
        public boolean open(long partition, long epoch) {
            return true;
        }

        @Override
        public void process(Row row) {
            ROWS.add(row.getList(0));
        }

        @Override
        public void close(Throwable failure) {}
    }
}
