package io.github.broadloom.tensor;

import io.github.broadloom.settings.Setting;
import io.github.broadloom.settings.SettingKind;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What can be set of the memory of this JVM's tensors. */
public final class MemorySettings {
    public static final Setting<Long> LIMIT = Setting.ofJvm(
            "broadloom.memory.limit",
            SettingKind.positiveBytes(),
            "what the JVM grants direct buffers: `-XX:MaxDirectMemorySize`, else the size of the heap; in the"
                    + " containers of YARN and Kubernetes the overhead that they have beside the heap, less what the JVM"
                    + " needs there itself; and `spark.memory.offHeap.size` beside it, where that is enabled",
            "with the first tensor",
            "The most that tensors, and freed pages that wait for a taker, may come to in a JVM. What would go beyond"
                    + " it collects garbage, empties the pool, tries again, and then fails with the figures.");

    public static final Setting<Long> POOL = Setting.ofBoth(
            "broadloom.memory.pool",
            SettingKind.bytes(),
            "half of the limit; all of it in the containers of YARN and Kubernetes, and where"
                    + " `spark.executor.memoryOverhead` or `spark.memory.offHeap.size` sets memory aside",
            "with the first tensor; Spark's, when an application starts",
            "The most that waits in the pool of freed pages: fresh ones cost several times the arithmetic done on"
                    + " them. 0 keeps none. The system property comes before Spark's setting.");

    private static final Setting<Long> IDLE = Setting.ofJvm(
            "broadloom.memory.idleSeconds",
            SettingKind.seconds(),
            "`30`",
            "with the first tensor; when a GPU is first used",
            "How long freed pages wait for a taker before the operating system has them back, and freed memory of a"
                    + " GPU, and pinned memory, before its driver has.");

    private static final long IDLE_SECONDS = 30;

    private MemorySettings() {}

    /** How long freed memory of any kind waits for a taker. */
    public static long idleMillis() {
        return TimeUnit.SECONDS.toMillis(IDLE.inJvm().orElse(IDLE_SECONDS));
    }

    public static List<Setting<?>> all() {
        return List.of(LIMIT, POOL, IDLE);
    }
}
