package io.github.broadloom.exec;

import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.MemorySettings;
import java.lang.ref.WeakReference;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.jspecify.annotations.Nullable;

/**
 * Sizes this JVM's pool of freed buffers by Spark's configuration: by {@code spark.broadloom.memory.pool} where it is set, else on a cluster's
 * executors by what Spark reserves off the heap: {@code spark.memory.offHeap.size} where that is enabled, else {@code
 * spark.executor.memoryOverhead} where it is set. The system property {@code broadloom.memory.pool} comes before all of them.
 */
public final class PoolSize {
    private static final String OVERHEAD = "spark.executor.memoryOverhead";
    private static volatile WeakReference<@Nullable SparkEnv> known = new WeakReference<>(null);

    private PoolSize() {}

    /** Sizes the pool where a Spark runs here that it was not sized for yet: cheap enough for every task. */
    static void followSpark() {
        SparkEnv env = SparkEnv.get();
        if (env != null && known.get() != env) {
            follow(env.conf());
            known = new WeakReference<>(env);
        }
    }

    /** Sizes the pool. */
    public static void follow(SparkConf conf) {
        Memory.suggestPoolBytes(bytes(conf, Memory.defaultPoolBytes()));
    }

    static long bytes(SparkConf conf, long otherwise) {
        Optional<Long> chosen = MemorySettings.POOL.inSpark(SparkSettings.in(conf));
        if (chosen.isPresent()) {
            return chosen.get();
        }
        if (conf.get("spark.master", "local").matches("local(\\[.*)?")) {
            return otherwise;
        }
        if (conf.getBoolean("spark.memory.offHeap.enabled", false)) {
            return conf.getSizeAsBytes("spark.memory.offHeap.size", "0");
        }
        return conf.contains(OVERHEAD) ? conf.getSizeAsMb(OVERHEAD) << 20 : otherwise;
    }
}
