package io.github.broadloom.exec.jobs;

import io.github.broadloom.exec.GrantedMemory;
import io.github.broadloom.tensor.Memory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/** How much memory a task has. Off the heap: with a local master its part of this JVM's limit, where somebody set one; on a cluster its part of {@linkplain GrantedMemory what an executor has}. */
public final class TaskMemory {
    private static final String CORES = "spark.executor.cores";
    private static final Pattern LOCAL_CLUSTER = Pattern.compile("local-cluster\\[\\s*\\d+\\s*,\\s*(\\d+)\\s*,.*");

    private TaskMemory() {}

    /** The bytes for each of the tasks that run at a time, or {@link Long#MAX_VALUE}. */
    public static long of(SparkContext context) {
        if (context.isLocal()) {
            int tasks = Math.max(1, context.defaultParallelism());
            return Memory.isLimitSet() ? Math.max(1, Memory.limitBytes() / tasks) : Long.MAX_VALUE;
        }
        return ofCluster(context.getConf(), coresThatCame(context));
    }

    /** The heap for each of the tasks that run at a time, and no more than the driver has. */
    public static long heapOf(SparkContext context) {
        long driver = Runtime.getRuntime().maxMemory();
        if (context.isLocal()) {
            return Math.max(1, driver / Math.max(1, context.defaultParallelism()));
        }
        SparkConf conf = context.getConf();
        return Math.max(1, Math.min(driver, GrantedMemory.heapOfExecutor(conf) / tasks(conf, coresThatCame(context))));
    }

    /** @param cores of an executor where the configuration does not say how many it has */
    static long ofCluster(SparkConf conf, int cores) {
        return Math.max(1, GrantedMemory.ofExecutor(conf) / tasks(conf, cores));
    }

    private static int tasks(SparkConf conf, int cores) {
        return Math.max(1, cores(conf, cores) / Math.max(1, conf.getInt("spark.task.cpus", 1)));
    }

    /** As Spark gives them: one, but on machines of Spark's own masters all that there are. */
    private static int cores(SparkConf conf, int otherwise) {
        if (conf.contains(CORES)) {
            return conf.getInt(CORES, 1);
        }
        String master = conf.get("spark.master", "local");
        Matcher local = LOCAL_CLUSTER.matcher(master);
        if (local.matches()) {
            return Integer.parseInt(local.group(1));
        }
        return master.startsWith("spark://") ? otherwise : 1;
    }

    /** The cores of each executor that is there: one, where none is yet, since what a whole executor cannot hold cannot work. */
    private static int coresThatCame(SparkContext context) {
        int executors = context.getExecutorMemoryStatus().size() - 1; // and the driver
        boolean told = context.getConf().contains("spark.default.parallelism");
        return executors < 1 || told ? 1 : (context.defaultParallelism() + executors - 1) / executors;
    }
}
