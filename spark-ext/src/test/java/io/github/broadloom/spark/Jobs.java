package io.github.broadloom.spark;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Counts the jobs and tasks of a piece of a program. */
final class Jobs extends SparkListener implements AutoCloseable {
    private final SparkContext context;
    private final List<String> descriptions = new CopyOnWriteArrayList<>();
    private final AtomicInteger tasks = new AtomicInteger();

    private Jobs(SparkContext context) {
        this.context = context;
    }

    /** Counts from now on; what Spark has still to tell of earlier jobs does not count. */
    static Jobs listen() throws Exception {
        Jobs jobs = new Jobs(LocalSpark.session().sparkContext());
        jobs.context.listenerBus().waitUntilEmpty();
        jobs.context.addSparkListener(jobs);
        return jobs;
    }

    @Override
    public void onJobStart(SparkListenerJobStart start) {
        descriptions.add(String.valueOf(start.properties().getProperty("spark.job.description")));
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        tasks.incrementAndGet();
    }

    List<String> descriptions() throws Exception {
        context.listenerBus().waitUntilEmpty();
        return descriptions;
    }

    int tasks() throws Exception {
        context.listenerBus().waitUntilEmpty();
        return tasks.get();
    }

    @Override
    public void close() {
        context.removeSparkListener(this);
    }
}
