package io.github.broadloom.exec;

import io.github.broadloom.device.DeviceSettings;
import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.expr.Names;
import io.github.broadloom.settings.Setting;
import io.github.broadloom.settings.Setting.Place;
import io.github.broadloom.tensor.MemorySettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.LoggerFactory;

/** Everything that can be set, and who set something that there is not. */
public final class AllSettings {
    private static final String PREFIX = "spark.broadloom.";
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private AllSettings() {}

    /** The settings by what they are about, in the order of the page. */
    public static Map<String, List<Setting<?>>> byTopic() {
        List<Setting<?>> general = new ArrayList<>(DeviceSettings.general());
        general.add(BroadcastWarning.SETTING);
        Map<String, List<Setting<?>>> topics = new LinkedHashMap<>();
        topics.put("Tensors on Spark", SparkSettings.ofTensors());
        topics.put("Functions of SQL", SparkSettings.ofSql());
        topics.put("Memory", MemorySettings.all());
        topics.put("Computing", general);
        topics.put("GPUs", DeviceSettings.ofGpus());
        return topics;
    }

    private static List<Setting<?>> all() {
        return byTopic().values().stream().flatMap(List::stream).toList();
    }

    /**
     * Logs a sentence for each setting of Spark's configuration that has Broadloom's prefix and is none of its settings, once in this JVM: a typing mistake would else do nothing at
     * all.
     *
     * @param names of everything that is set
     * @return what was told now
     */
    public static List<String> tellUnknown(Collection<String> names) {
        List<String> sentences = new ArrayList<>();
        for (String name : names) {
            if (name.startsWith(PREFIX)) {
                unknown(name).filter(any -> TOLD.add(name)).ifPresent(sentences::add);
            }
        }
        sentences.forEach(LoggerFactory.getLogger(AllSettings.class)::warn);
        return sentences;
    }

    private static Optional<String> unknown(String name) {
        for (Setting<?> setting : all()) {
            if (setting.sparkName().equals(name)) {
                return setting.places().contains(Place.SPARK)
                        ? Optional.empty()
                        : Optional.of("The setting " + name + " is not read: it is a system property of each JVM, -D"
                                + setting.name() + ", as in spark.executor.extraJavaOptions");
            }
        }
        List<String> known = all().stream()
                .filter(setting -> setting.places().contains(Place.SPARK))
                .map(setting -> setting.sparkName().substring(PREFIX.length()))
                .toList();
        return Optional.of("The setting " + name + " is not read: there is none of that name; "
                + Names.near(name.substring(PREFIX.length()), known)
                        .map(near -> "did you mean '" + PREFIX + near + "'?")
                        .orElse("docs/configuration.md lists all of them"));
    }
}
