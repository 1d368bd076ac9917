package io.github.broadloom.exec.cache;

import io.github.broadloom.exec.GrantedMemory;
import io.github.broadloom.exec.SparkJars;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.MemoryHost;
import java.lang.ref.WeakReference;
import org.apache.spark.SparkEnv;
import org.jspecify.annotations.Nullable;

/** Gives the tensors of a JVM in which Spark runs {@linkplain GrantedMemory what it was granted}, and takes it from {@linkplain Evictions cached chunks} where it ends. */
public final class SparkHost implements MemoryHost {
    private static final String DRIVER = "driver";

    private static volatile WeakReference<@Nullable SparkEnv> known = new WeakReference<>(null);

    /** For the service loader. */
    public SparkHost() {}

    @Override
    public void follow() {
        SparkEnv env = env();
        if (env != null && known.get() != env) {
            GrantedMemory granted =
                    GrantedMemory.here(env.conf(), env.executorId().equals(DRIVER));
            known = new WeakReference<>(env);
            Memory.suggest(granted.limitBytes(), granted.poolBytes());
        }
    }

    @Override
    public long evict(long bytes) {
        SparkEnv env = env();
        return env == null || env.blockManager() == null ? 0 : new Evictions(env.blockManager()).evict(bytes);
    }

    private static @Nullable SparkEnv env() {
        return SparkJars.present() ? SparkEnv.get() : null;
    }
}
