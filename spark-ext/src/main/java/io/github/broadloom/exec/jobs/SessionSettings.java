package io.github.broadloom.exec.jobs;

import io.github.broadloom.exec.AllSettings;
import io.github.broadloom.exec.SparkSettings;
import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.settings.Setting;
import io.github.broadloom.tensor.Device;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.spark.sql.SparkSession;
import scala.jdk.javaapi.CollectionConverters;

/** What plans are made with in a session. */
public final class SessionSettings {
    private SessionSettings() {}

    /**
     * The figures of the session's cluster, and what its configuration says; names in it that are not known are told.
     *
     * @throws IllegalArgumentException where a setting has a value that it cannot have, naming it
     */
    public static Settings of(SparkSession session) {
        Setting.Lookup conf = SparkSettings.in(session.conf());
        AllSettings.tellUnknown(
                CollectionConverters.asJava(session.conf().getAll()).keySet());
        BroadcastWarning.SETTING.inSpark(conf); // a wrong value is told here, too
        Settings settings = Settings.defaults()
                .withSlots(Slots.of(session.sparkContext()))
                .withDriverBytes(JobRunner.partialBytes(session.sparkContext()))
                .withHeapBytes(TaskMemory.heapOf(session.sparkContext()))
                .withTasksOf(TaskMemory.of(session.sparkContext()));
        settings = with(settings, SparkSettings.DEVICE.inSpark(conf).map(Device::toString), Settings::withDevice);
        settings = with(settings, SparkSettings.CHUNK_BYTES.inSpark(conf), Settings::withChunkBytes);
        settings = with(settings, SparkSettings.REPLICATE_BYTES.inSpark(conf), Settings::withReplicateBytes);
        return with(settings, SparkSettings.TASK_BYTES.inSpark(conf), Settings::withTaskBytes);
    }

    private static <T> Settings with(Settings settings, Optional<T> value, BiFunction<Settings, T, Settings> change) {
        return value.map(set -> change.apply(settings, set)).orElse(settings);
    }
}
