package io.github.broadloom.spark;

import io.github.broadloom.exec.AllSettings;
import io.github.broadloom.exec.SparkSettings;
import io.github.broadloom.exec.jobs.DriverMemory;
import io.github.broadloom.exec.jobs.Slots;
import io.github.broadloom.exec.jobs.TaskMemory;
import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.settings.Setting;
import io.github.broadloom.tensor.Device;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.spark.sql.SparkSession;
import scala.jdk.javaapi.CollectionConverters;

/** What the planner may take for granted in a session: the figures of its cluster, and what its configuration says. */
final class SessionSettings {
    private SessionSettings() {}

    /**
     * Reads the session's configuration, and tells of names in it that are not known.
     *
     * @throws IllegalArgumentException naming the setting that is wrong
     */
    static Settings of(SparkSession session) {
        Setting.Lookup conf = SparkSettings.in(session.conf());
        AllSettings.tellUnknown(
                CollectionConverters.asJava(session.conf().getAll()).keySet());
        BroadcastWarning.SETTING.inSpark(conf); // a wrong value is told here, too
        Settings settings = Settings.defaults()
                .withSlots(Slots.of(session.sparkContext()))
                .withDriverBytes(DriverMemory.forPartials(session.sparkContext()))
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
