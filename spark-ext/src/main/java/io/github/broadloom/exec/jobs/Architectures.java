package io.github.broadloom.exec.jobs;

import io.github.broadloom.cuda.driver.Gpus;
import io.github.broadloom.exec.SparkSettings;
import io.github.broadloom.tensor.Device;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.PluginContext;

/**
 * For which GPUs the driver compiles: those that {@code spark.broadloom.cuda.architectures} names; else those that the executors have. They tell at their
 * start where {@link io.github.broadloom.spark.BroadloomPlugin} is configured and the application uses GPUs; else one short job asks them, again when there are
 * others.
 */
public final class Architectures {
    private static final Map<SparkContext, Architectures> BY_CONTEXT = new WeakHashMap<>();

    private final Map<String, List<String>> byExecutor = new HashMap<>();
    /** Whom the last job asked: an executor that was busy with other jobs then is not asked again. */
    private Set<String> asked = Set.of();

    private Architectures() {}

    private static Architectures known(SparkContext context) {
        synchronized (BY_CONTEXT) {
            return BY_CONTEXT.computeIfAbsent(context, any -> new Architectures());
        }
    }

    /**
     * Those of an application on a cluster, each once; none where no executor has a GPU.
     *
     * @throws IllegalArgumentException where the setting names something else
     */
    public static List<String> of(SparkContext context) {
        return set(context.getConf()).orElseGet(() -> known(context).ofExecutors(context));
    }

    /** Those that the setting names, where there is one. */
    static Optional<List<String>> set(SparkConf conf) {
        return SparkSettings.ARCHITECTURES.inSpark(SparkSettings.in(conf)).filter(named -> !named.isEmpty());
    }

    private List<String> ofExecutors(SparkContext context) {
        if (mustAsk(executors(context))) {
            Map<String, List<String>> told = Survey.architectures(context); // a job: nobody waits for it who need not
            synchronized (this) {
                byExecutor.putAll(told);
                asked = executors(context);
            }
        }
        return among(executors(context));
    }

    private synchronized boolean mustAsk(Set<String> executors) {
        boolean allKnown = !executors.isEmpty() && byExecutor.keySet().containsAll(executors);
        return !allKnown && (executors.isEmpty() || !executors.equals(asked));
    }

    private synchronized List<String> among(Set<String> executors) {
        byExecutor.keySet().retainAll(executors);
        return byExecutor.values().stream()
                .flatMap(Collection::stream)
                .distinct()
                .sorted()
                .toList();
    }

    private static Set<String> executors(SparkContext context) {
        return new TreeSet<>(scala.jdk.javaapi.CollectionConverters.asJava(context.getExecutorIds()));
    }

    /** On an executor that starts: tells the driver, where the application is configured for GPUs. */
    public static void report(PluginContext context) throws IOException {
        if (isForGpus(context)) {
            List<String> message = new ArrayList<>(List.of(context.executorID()));
            message.addAll(Gpus.architectures());
            context.send(message.toArray(String[]::new));
        }
    }

    private static boolean isForGpus(PluginContext context) {
        SparkConf conf = context.conf();
        boolean chosen =
                !conf.get(SparkSettings.DEVICE.sparkName(), Device.CPU.type()).equals(Device.CPU.type());
        boolean here = conf.get("spark.master", "").startsWith("local[");
        return !here && (chosen || context.resources().containsKey("gpu"));
    }

    /** On the driver: takes what an executor told. */
    public static void told(SparkContext context, String[] message) {
        Architectures known = known(context);
        synchronized (known) {
            known.byExecutor.put(message[0], List.of(Arrays.copyOfRange(message, 1, message.length)));
        }
    }
}
