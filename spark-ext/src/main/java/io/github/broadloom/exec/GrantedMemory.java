package io.github.broadloom.exec;

import com.sun.management.OperatingSystemMXBean;
import io.github.broadloom.settings.SettingKind;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.MemorySettings;
import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;

/**
 * How much off-heap memory tensors have in the JVMs of an application, by Spark's configuration. YARN and Kubernetes end a container that takes more than the heap, the overhead and {@code
 * spark.memory.offHeap.size}, computed here as Spark 4.2 computes them: what is beside the heap is the tensors', less what the JVM needs there itself. Elsewhere only the machine ends a process, and they have as much as the heap, or the overhead where one is set, and what is set aside for Spark off the heap.
 *
 * @param limitBytes the most that tensors and pool may come to
 * @param poolBytes the most that waits in the pool
 */
public record GrantedMemory(long limitBytes, long poolBytes) {
    private static final long MEBIBYTE = 1 << 20;
    /** Spark's for the overhead, and for what is a part of it. */
    private static final double OVERHEAD_FACTOR = 0.1;

    private static final String LEAST_OVERHEAD = "384m";
    private static final String EXECUTOR = "spark.executor.";
    private static final Pattern LIMIT_OPTION =
            Pattern.compile("(?:^|\\s)-D" + Pattern.quote(MemorySettings.LIMIT.name()) + "=(\\S+)");

    /**
     * What the JVM takes beside its heap: one that had compiled and run kernels for thousands of evaluations held 170 MiB, and Spark's classes, threads and network buffers come on top. Of a small overhead a third is left
     * to tensors all the same: a limit below that would refuse every plan.
     */
    private static final long JVM_BYTES = 256 * MEBIBYTE;

    private static final int LEAST_PART = 3;

    /** What this JVM has, in which Spark runs. */
    public static GrantedMemory here(SparkConf conf, boolean driver) {
        long usual = Memory.usualLimitBytes();
        GrantedMemory granted = driver ? ofDriver(conf, usual) : ofExecutor(conf, Math.min(usual, besideHeap()));
        long pool = MemorySettings.POOL.inSpark(SparkSettings.in(conf)).orElse(granted.poolBytes);
        return new GrantedMemory(granted.limitBytes, pool);
    }

    /** The most that an executor's tensors may come to, as the driver knows it. */
    public static long ofExecutor(SparkConf conf) {
        Matcher option = LIMIT_OPTION.matcher(conf.get("spark.executor.defaultJavaOptions", "") + " "
                + conf.get("spark.executor.extraJavaOptions", ""));
        return option.find()
                ? SettingKind.positiveBytes().reader().apply(option.group(1))
                : ofExecutor(conf, heapOfExecutor(conf)).limitBytes;
    }

    /** An executor's heap, as the driver knows it. */
    public static long heapOfExecutor(SparkConf conf) {
        return heapMebibytes(conf, EXECUTOR) * MEBIBYTE;
    }

    /** @param usual where neither a container nor the configuration says what is beside the heap */
    static GrantedMemory ofExecutor(SparkConf conf, long usual) {
        boolean told = master(conf).equals("yarn")
                || master(conf).startsWith("k8s://")
                || conf.contains(EXECUTOR + "memoryOverhead");
        return of(told, told ? tensorBytes(conf, EXECUTOR) : usual, offHeapBytes(conf));
    }

    /** @param usual where it has no container */
    static GrantedMemory ofDriver(SparkConf conf, long usual) {
        boolean told = master(conf).equals("yarn")
                ? conf.get("spark.submit.deployMode", "client").equals("cluster")
                : conf.getBoolean("spark.kubernetes.submitInDriver", false);
        boolean local = master(conf).matches("local(\\[.*)?");
        return of(told, told ? tensorBytes(conf, "spark.driver.") : usual, local ? offHeapBytes(conf) : 0);
    }

    /** What is set aside for tensors alone may all wait in the pool. */
    private static GrantedMemory of(boolean told, long beside, long offHeap) {
        long limit = beside + offHeap;
        return new GrantedMemory(limit, told || offHeap > 0 ? limit : limit / 2);
    }

    private static String master(SparkConf conf) {
        return conf.get("spark.master", "local");
    }

    private static long tensorBytes(SparkConf conf, String whose) {
        long overhead = overheadMebibytes(conf, whose) * MEBIBYTE;
        return Math.max(overhead / LEAST_PART, overhead - JVM_BYTES);
    }

    /** As in Spark's {@code ResourceProfile.calculateOverHeadMemory}, and in the steps that make the pods of Kubernetes. */
    private static long overheadMebibytes(SparkConf conf, String whose) {
        if (conf.contains(whose + "memoryOverhead")) {
            return conf.getSizeAsMb(whose + "memoryOverhead");
        }
        double usual = master(conf).startsWith("k8s://")
                ? conf.getDouble("spark.kubernetes.memoryOverheadFactor", OVERHEAD_FACTOR)
                : OVERHEAD_FACTOR;
        double factor = conf.getDouble(whose + "memoryOverheadFactor", usual);
        long least = conf.getSizeAsMb(whose + "minMemoryOverhead", LEAST_OVERHEAD);
        return Math.max((long) (factor * heapMebibytes(conf, whose)), least);
    }

    private static long heapMebibytes(SparkConf conf, String whose) {
        return conf.getSizeAsMb(whose + "memory", "1g");
    }

    /** What Spark has off the heap, where that is enabled. */
    public static long offHeapBytes(SparkConf conf) {
        return conf.getBoolean("spark.memory.offHeap.enabled", false)
                ? conf.getSizeAsBytes("spark.memory.offHeap.size", "0")
                : 0;
    }

    private static long besideHeap() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long heap = Runtime.getRuntime().maxMemory();
        return Math.max(heap / LEAST_PART, system.getTotalMemorySize() - heap - JVM_BYTES);
    }
}
