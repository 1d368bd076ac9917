package io.github.broadloom.exec.exchange;

import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.exec.metrics.TaskMetric;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.SparkEnv;

/** Tells the first task of this JVM that uses an operand which travels whole: its bytes came here once, however many tasks use it. */
final class Arrivals {
    /** Operands that are remembered; one that comes back after as many others counts again. */
    private static final int MOST = 4096;

    private static final Set<Operand> SEEN = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Operand, Boolean> eldest) {
            return size() > MOST;
        }
    });

    private Arrivals() {}

    /**
     * @param application Spark's name for it: a JVM of tests sees several, whose numbers repeat
     * @param rdd the RDD's number
     * @param exchange the operand's number
     * @param chunk its chunk where it travels in chunks, else -1
     */
    private record Operand(String application, int rdd, int exchange, int chunk) {}

    /** Counts the bytes that an exchange brought to this JVM, where no task counted them before. */
    static void count(int rdd, int index, Exchange exchange, ChunkPartition chunk) {
        long bytes = exchange.replicatedBytes(chunk);
        if (bytes == 0) {
            return;
        }
        String application = SparkEnv.get().conf().getAppId();
        Operand operand =
                new Operand(application, rdd, index, exchange instanceof Exchange.ChunkBroadcast ? chunk.index() : -1);
        boolean first;
        synchronized (SEEN) {
            first = SEEN.add(operand);
        }
        if (first) {
            TaskMeter.count(TaskMetric.REPLICATED_BYTES, bytes);
        }
    }
}
