package io.github.broadloom.exec.files;

import io.github.broadloom.exec.Scala;
import java.io.Serializable;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;

/** What file systems are configured with. It is some hundred kilobytes, so it is broadcast once to each executor, and not with each task. */
final class HadoopConfiguration implements Serializable {
    private static final long serialVersionUID = 1L;

    /** What each application used last: users change it in place, but seldom. */
    private static final Map<SparkContext, HadoopConfiguration> LAST = Collections.synchronizedMap(new WeakHashMap<>());

    private final transient @Nullable Configuration here;
    private final Broadcast<SerializableConfiguration> everywhere;

    private HadoopConfiguration(Configuration here, Broadcast<SerializableConfiguration> everywhere) {
        this.here = here;
        this.everywhere = everywhere;
    }

    static HadoopConfiguration of(SparkContext context) {
        return LAST.compute(context, (same, last) -> last != null && last.isStill(context) ? last : sent(context));
    }

    private static HadoopConfiguration sent(SparkContext context) {
        Configuration copy = new Configuration(context.hadoopConfiguration());
        return new HadoopConfiguration(
                copy,
                context.broadcast(new SerializableConfiguration(copy), Scala.tag(SerializableConfiguration.class)));
    }

    private boolean isStill(SparkContext context) {
        return here != null && entries(here).equals(entries(context.hadoopConfiguration())) && isThere();
    }

    /** Whether the driver still has what executors ask it for: an application lives longer than a block on a full disk. */
    private boolean isThere() {
        BlockId first = new BroadcastBlockId(everywhere.id(), "piece0");
        return SparkEnv.get().blockManager().getStatus(first).isDefined();
    }

    private static Map<String, String> entries(Configuration configuration) {
        Map<String, String> entries = new HashMap<>();
        configuration.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
        return entries;
    }

    Configuration value() {
        return here == null ? everywhere.value().value() : here;
    }
}
