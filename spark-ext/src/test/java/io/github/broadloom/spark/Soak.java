package io.github.broadloom.spark;

import io.github.broadloom.device.Devices;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.RandomExprs;
import io.github.broadloom.testkit.random.RandomTensors;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.StorageLevel;

/**
 * A long session of mixed expressions, in a JVM of its own: what the JVM and Spark hold at its end is what they held when it had warmed up. Run by {@link
 * SoakTest}.
 */
final class Soak {
    /** The bound on the kernels that are kept, which the first expressions reach. */
    static final int KERNELS = 100;

    /** What Spark's and Netty's threads hold for a moment is gone when so many collections in a row have freed nothing. */
    private static final int VAIN_COLLECTIONS = 5;

    private static final int MOST_COLLECTIONS = 100;
    private static final int PAUSE_MILLIS = 100;

    private final Path folder;
    private final SparkContext context;

    private Soak(Path folder) {
        this.folder = folder;
        // Spark's own memory of what is over fills up to these bounds, and has to be full when the first figures are
        // taken.
        this.context = LocalSpark.session(
                        "spark.ui.retainedJobs", "20",
                        "spark.ui.retainedStages", "20",
                        "spark.ui.retainedTasks", "100",
                        "spark.hadoop.fs.remote.impl", RemoteFileSystem.class.getName(),
                        "spark.cleaner.referenceTracking.cleanCheckpoints", "true")
                .sparkContext();
        context.setLogLevel("WARN");
        context.setCheckpointDir("remote://" + folder.resolve("checkpoints"));
    }

    /** Arguments: a folder, and after how many expressions the figures are printed, ascending. */
    public static void main(String[] args) throws Exception {
        Soak soak = new Soak(Path.of(args[0]));
        int done = 0;
        for (int i = 1; i < args.length; i++) {
            while (done < Integer.parseInt(args[i])) {
                soak.expression(done++);
            }
            System.out.println(done + " " + soak.figures());
        }
        LocalSpark.stop();
    }

    /** One of many kinds, of some hundred different expressions, over fresh operands. */
    private void expression(int number) throws IOException {
        Broadloom broadloom = LocalSpark.broadloom();
        RandomTensors cuts = new RandomTensors(number);
        Expr random = new RandomExprs(number % 400).next();
        DistributedTensor any = broadloom.of(
                random.mapInputs(input -> broadloom
                        .tensor((Tensor) input.source(), 1 + cuts.below(3))
                        .expr()),
                null);
        switch (number % 8) {
            case 0 -> any.materialize().collect();
            case 1 -> cached(broadloom, number);
            case 2 -> any.cache(StorageLevel.DISK_ONLY()).unpersist().collect();
            case 3 -> written(any);
            case 4 -> replicated(broadloom, number);
            case 5 -> inPlace(broadloom, number);
            case 6 -> explained(any);
            default -> any.collect();
        }
        if (number % 50 == 0) {
            broadloom.tensor(Tensors.ones(8, 10), 2).add(number).checkpoint().collect();
        }
        if (number % 16 == 0) {
            any.unpersist(); // what others cached is left to Spark's cleaner
        }
    }

    /** Cached chunks, which are reduced, cut elsewhere, shuffled, and meet each other. */
    private static void cached(Broadloom broadloom, int number) {
        DistributedTensor x =
                broadloom.tensor(Tensors.ones(64, 100), 5).add(number).cache();
        broadloom.eval("(x - mean(x, 0)) / (1 + sum(x))", Map.of("x", x)).collect();
        x.flip(0).sub(broadloom.tensor(Tensors.ones(64, 100), 3)).collect();
        x.t().exp().collect();
        Broadloom frugal = broadloom.withReplicateBytes(1 << 10);
        DistributedTensor rows =
                frugal.tensor(Tensors.ones(1)).withExpr(x.unsqueeze(1).expr());
        rows.sub(x.narrow(0, 0, 24).unsqueeze(0)).sum(2).collect();
        x.unpersist();
    }

    private static void replicated(Broadloom broadloom, int number) {
        DistributedTensor x = broadloom.tensor(Tensors.ones(4, 30_000), 4);
        DistributedTensor row = broadloom.tensor(Tensors.ones(1, 30_000));
        broadloom.eval("x * row + " + number, Map.of("x", x, "row", row)).sum(1).collect();
    }

    private static void explained(DistributedTensor tensor) {
        tensor.collect();
        String shown = tensor.toHtml() + tensor.explain() + tensor.lastRun().orElseThrow();
        if (shown.isEmpty()) {
            throw new IllegalStateException("Nothing is shown of " + tensor);
        }
    }

    private static void inPlace(Broadloom broadloom, int number) {
        DistributedTensor x = broadloom.tensor(Tensors.ones(10, 10), 3);
        x.add_(number).mul_(x).sub_(1);
        x.cumsum(0).collect();
    }

    private void written(DistributedTensor tensor) throws IOException {
        Path target = folder.resolve(tensor.shape().rank() == 0 ? "y.npy" : "y");
        ChaosProgram.inFileType(tensor).writeNpy(target.toString(), WriteMode.CREATE);
        LocalSpark.broadloom().readNpy(target.toString()).collect();
        if (Files.isDirectory(target)) {
            FileUtils.deleteDirectory(target.toFile());
        } else {
            Files.delete(target);
        }
    }

    /** Names and figures, after garbage was collected and Spark has heard of it. */
    private Map<String, Long> figures() throws Exception {
        Map<String, Long> figures = new LinkedHashMap<>();
        figures.put("heapBytes", settledHeapBytes());
        figures.put("classBytes", pool("Metaspace"));
        figures.put("classes", (long) ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
        figures.put("threads", (long) ManagementFactory.getThreadMXBean().getThreadCount());
        figures.put("offHeapBytes", Memory.allocatedBytes());
        figures.put("kernels", (long) Devices.backend(Device.CPU).kernelStats().size());
        figures.put("persistentRdds", (long) context.getPersistentRDDs().size());
        figures.put("blocks", (long) SparkEnv.get()
                .blockManager()
                .getMatchingBlockIds(new AnyBlock())
                .size());
        figures.put("shuffles", (long) ((MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker())
                .shuffleStatuses()
                .size());
        figures.put("listeners", (long) context.listenerBus().listeners().size());
        return figures;
    }

    private long settledHeapBytes() throws Exception {
        long least = Long.MAX_VALUE;
        int vain = 0;
        for (int i = 0; i < MOST_COLLECTIONS && vain < VAIN_COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(PAUSE_MILLIS);
            context.listenerBus().waitUntilEmpty();
            long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            boolean freed = used < least - least / 1000;
            vain = freed ? 0 : vain + 1;
            least = Math.min(least, used);
        }
        return least;
    }

    private static final class AnyBlock
            extends scala.runtime.AbstractFunction1<org.apache.spark.storage.BlockId, Object> {
        @Override
        public Object apply(org.apache.spark.storage.BlockId block) {
            return true;
        }
    }

    private static long pool(String name) {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool ->
                        pool.getType() == MemoryType.NON_HEAP && pool.getName().equals(name))
                .mapToLong(pool -> pool.getUsage().getUsed())
                .sum();
    }
}
