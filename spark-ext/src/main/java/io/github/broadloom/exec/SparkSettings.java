package io.github.broadloom.exec;

import io.github.broadloom.cuda.compiler.CudaArchitecture;
import io.github.broadloom.settings.Setting;
import io.github.broadloom.settings.SettingKind;
import io.github.broadloom.tensor.Device;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.internal.SQLConf;

/** What can be set of tensors on Spark, in its configuration. */
public final class SparkSettings {
    private static final String ON = "at `Broadloom.on(session)`";
    private static final String QUERY = "when a query is planned";

    public static final Setting<Device> DEVICE = Setting.ofSpark(
            "broadloom.device",
            new SettingKind<>("cpu, cuda, cuda:N or auto", Device::of),
            "`cpu`",
            ON + ", and " + QUERY,
            "The device of every task. `cuda` is the GPU that Spark gave the task, `auto` whatever takes less time for a chunk.");

    public static final Setting<Long> CHUNK_BYTES = Setting.ofSpark(
            "broadloom.chunkBytes",
            SettingKind.positiveBytes(),
            "8 to 64 MiB, two chunks for each task that runs at a time where that is known, else 32 MiB; an eighth of what a task may hold, where that is less",
            ON,
            "About how many bytes a chunk has where nothing else decides: its rows are a power of two, and never less than one. No bit of a result depends on it.");

    public static final Setting<Long> REPLICATE_BYTES = Setting.ofSpark(
            "broadloom.replicateBytes",
            SettingKind.positiveBytes(),
            "`512m`",
            ON,
            "The largest operand that is copied to every executor; one above it is cut as the others are.");

    public static final Setting<Long> TASK_BYTES = Setting.ofSpark(
            "broadloom.taskBytes",
            SettingKind.positiveBytes(),
            "a task's part of its JVM's `broadloom.memory.limit`; with a local master no limit where that is not set",
            ON,
            "What a task may hold. A plan that is estimated to need more is refused before any job, and blocks that are cut freely are made small enough for it.");

    public static final Setting<List<String>> ARCHITECTURES = Setting.ofSpark(
            "broadloom.cuda.architectures",
            new SettingKind<>("architectures with commas, such as sm_80,sm_90", SparkSettings::architectures),
            "those that the executors have, who are asked by a short job",
            "of the application, when kernels for GPUs are planned",
            "For which GPUs the driver compiles kernels, which travel with the plan.");

    public static final Setting<String> BATCHES = Setting.ofSpark(
            "broadloom.sql.batches",
            SettingKind.words("auto", "always", "never"),
            "`auto`",
            QUERY,
            "When functions of SQL are evaluated for many rows at once: `auto` where a cell is an array or the device is not the CPU. Results are the same bits.");

    public static final Setting<Long> BATCH_BYTES = Setting.ofSpark(
            "broadloom.sql.batchBytes",
            SettingKind.positiveBytes(),
            "`1m`",
            QUERY,
            "About how much the cells and the results of such a batch come to, and as much again what its rows carry along.");

    public static final Setting<Boolean> NEAREST = Setting.ofSpark(
            "broadloom.sql.nearest",
            SettingKind.flag(),
            "`true`",
            QUERY,
            "Whether joins `NEAREST k BY` of Spark 4.2 are computed in blocks of scores; else as Spark does, by a join of all pairs.");

    public static final Setting<Long> NEAREST_BYTES = Setting.ofSpark(
            "broadloom.sql.nearestBytes",
            SettingKind.positiveBytes(),
            "`256m`",
            QUERY,
            "The largest side of such a join, by Spark's estimate, that is copied to every executor. Where both are larger, each task keeps as much of the left side as this, and reads all of the right.");

    private SparkSettings() {}

    public static List<Setting<?>> ofTensors() {
        return List.of(DEVICE, CHUNK_BYTES, REPLICATE_BYTES, TASK_BYTES, ARCHITECTURES);
    }

    public static List<Setting<?>> ofSql() {
        return List.of(BATCHES, BATCH_BYTES, NEAREST, NEAREST_BYTES);
    }

    /** An application's configuration. */
    public static Setting.Lookup in(SparkConf conf) {
        return name -> conf.contains(name) ? conf.get(name) : null;
    }

    /** A session's configuration, which has the application's, too. */
    public static Setting.Lookup in(RuntimeConfig conf) {
        return name ->
                conf.get(name, null); // getOption throws and catches, for which Spark reads the texts of all its errors
    }

    /** The configuration by which a query is planned, which has the session's. */
    public static Setting.Lookup in(SQLConf conf) {
        return name -> conf.contains(name) ? conf.getConfString(name) : null;
    }

    private static List<String> architectures(String text) {
        return text.isEmpty() ? List.of() : CudaArchitecture.parse(text);
    }
}
