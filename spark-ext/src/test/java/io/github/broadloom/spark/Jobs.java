package io.github.broadloom.spark;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerBlockUpdated;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.storage.BlockUpdatedInfo;
import scala.jdk.javaapi.CollectionConverters;

/** Counts what a piece of a program makes Spark do, as Spark itself tells. */
public final class Jobs extends SparkListener implements AutoCloseable {
    private final SparkContext context;
    private final List<String> descriptions = new CopyOnWriteArrayList<>();
    private final AtomicInteger stages = new AtomicInteger();
    private final AtomicInteger tasks = new AtomicInteger();
    private final AtomicInteger runningTasks = new AtomicInteger();
    private final AtomicInteger duplicates = new AtomicInteger();
    private final AtomicLong shuffledBytes = new AtomicLong();
    private final List<Long> keptBlocks = new CopyOnWriteArrayList<>();
    private final List<TaskMetrics> taskMetrics = new CopyOnWriteArrayList<>();
    private final Set<String> executors = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> replicatedBytes = new ConcurrentHashMap<>();
    private final Map<String, Long> counted = new ConcurrentHashMap<>();

    private Jobs(SparkContext context) {
        this.context = context;
    }

    /** Counts from now on; what Spark has still to tell of earlier jobs does not count. */
    static Jobs listen(SparkContext context) throws Exception {
        Jobs jobs = new Jobs(context);
        context.listenerBus().waitUntilEmpty();
        context.addSparkListener(jobs);
        return jobs;
    }

    /** As {@link #listen(SparkContext)}, in the session that the tests share. */
    public static Jobs listen() throws Exception {
        return listen(LocalSpark.session().sparkContext());
    }

    @Override
    public void onJobStart(SparkListenerJobStart start) {
        descriptions.add(String.valueOf(start.properties().getProperty("spark.job.description")));
    }

    @Override
    public void onStageCompleted(SparkListenerStageCompleted completed) {
        stages.incrementAndGet();
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart start) {
        runningTasks.incrementAndGet();
        if (start.taskInfo().speculative()) {
            duplicates.incrementAndGet();
        }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        tasks.incrementAndGet();
        runningTasks.decrementAndGet();
        executors.add(end.taskInfo().executorId());
        CollectionConverters.asJava(end.taskInfo().accumulables()).forEach(each -> {
            if (each.name().isDefined()
                    && each.update().isDefined()
                    && each.update().get() instanceof Long more) {
                counted.merge(each.name().get(), more, Long::sum);
            }
        });
        TaskMetrics metrics = end.taskMetrics();
        if (metrics != null) {
            shuffledBytes.addAndGet(metrics.shuffleReadMetrics().totalBytesRead()
                    + metrics.shuffleWriteMetrics().bytesWritten());
            taskMetrics.add(metrics);
            keptBlocks.add(metrics.inputMetrics().recordsRead());
        }
    }

    @Override
    public void onBlockUpdated(SparkListenerBlockUpdated updated) {
        BlockUpdatedInfo block = updated.blockUpdatedInfo();
        boolean arrived = block.storageLevel().isValid(); // of what is dropped Spark tells the size as well
        if (arrived && block.blockId().isBroadcast() && !block.blockManagerId().isDriver()) {
            replicatedBytes.merge(block.blockManagerId().executorId(), block.memSize() + block.diskSize(), Long::sum);
        }
    }

    /** Spark says everything that it has to say. */
    private Jobs settled() throws Exception {
        context.listenerBus().waitUntilEmpty();
        return this;
    }

    List<String> descriptions() throws Exception {
        return settled().descriptions;
    }

    /** What tasks added to a metric of SQL. */
    long counted(String metric) throws Exception {
        return settled().counted.getOrDefault(metric, 0L);
    }

    int stages() throws Exception {
        return settled().stages.get();
    }

    int tasks() throws Exception {
        return settled().tasks.get();
    }

    /** Returns when no task runs, of those that were started since this listens. */
    public void awaitNoTask() throws Exception {
        settled();
        Cluster.await("the end of all tasks", () -> runningTasks.get() == 0);
    }

    /** The tasks that Spark started although others were doing the same. */
    int duplicates() throws Exception {
        return settled().duplicates.get();
    }

    /** The bytes that were written to shuffles and read from them. */
    long shuffledBytes() throws Exception {
        return settled().shuffledBytes.get();
    }

    /** For each task the number of blocks in Spark's cache that it read. */
    List<Long> keptBlocks() throws Exception {
        return settled().keptBlocks;
    }

    /** What Spark measured of each task. */
    List<TaskMetrics> taskMetrics() throws Exception {
        return settled().taskMetrics;
    }

    /** Those that ended a task. */
    Set<String> executors() throws Exception {
        return settled().executors;
    }

    /** For each executor the bytes of broadcast variables that it fetched, the code of the tasks among them. */
    Map<String, Long> replicatedBytes() throws Exception {
        return settled().replicatedBytes;
    }

    @Override
    public void close() {
        context.removeSparkListener(this);
    }
}
