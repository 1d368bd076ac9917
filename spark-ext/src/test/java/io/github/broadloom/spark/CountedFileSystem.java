package io.github.broadloom.spark;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;

/** Files of this machine, for tasks that run in this JVM: the task that opens a certain one of them cancels its own job, and goes on when it knows. */
public final class CountedFileSystem extends RemoteFileSystem {
    private static final AtomicInteger OPENED = new AtomicInteger();
    private static volatile int last = Integer.MAX_VALUE;
    private static volatile SparkContext context;

    /** The settings that Spark needs for it. */
    static String[] settings() {
        return new String[] {"spark.hadoop.fs.counted.impl", CountedFileSystem.class.getName()};
    }

    /** Counts anew; the task that opens the file of that number cancels its job's group. */
    static void cancelAt(int number, SparkContext where) {
        OPENED.set(0);
        context = where;
        last = number;
    }

    /** How many files tasks have opened. */
    static int opened() {
        return OPENED.get();
    }

    @Override
    public String getScheme() {
        return "counted";
    }

    @Override
    public java.net.URI getUri() {
        return java.net.URI.create("counted:///");
    }

    @Override
    public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
        TaskContext task = TaskContext.get();
        if (task != null) {
            int number = OPENED.incrementAndGet();
            if (number == last) {
                context.cancelJobGroup(task.getLocalProperty("spark.jobGroup.id"));
            }
            if (number >= last) { // the job's other task is told a moment later
                Cluster.await("the cancellation", task::isInterrupted);
            }
        }
        return super.open(path, bufferBytes);
    }
}
