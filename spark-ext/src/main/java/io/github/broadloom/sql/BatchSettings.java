package io.github.broadloom.sql;

import io.github.broadloom.exec.AllSettings;
import io.github.broadloom.exec.SparkSettings;
import io.github.broadloom.settings.Setting;
import io.github.broadloom.tensor.Device;
import java.io.Serializable;
import java.util.Locale;
import org.apache.spark.sql.internal.SQLConf;
import scala.jdk.javaapi.CollectionConverters;

/**
 * How functions of tensors are evaluated, from the session's settings.
 *
 * @param when {@code spark.broadloom.sql.batches}
 * @param device {@code spark.broadloom.device}
 * @param bytes {@code spark.broadloom.sql.batchBytes}: about how much the cells and values of a batch come to, and what its rows carry along
 */
public record BatchSettings(When when, String device, long bytes) implements Serializable {
    private static final long DEFAULT_BYTES = 1L << 20;

    /** When rows are gathered into batches. */
    public enum When {
        /** Where a cell is an array, or the device is not the CPU. */
        AUTO,
        ALWAYS,
        NEVER
    }

    /** @throws IllegalArgumentException naming the setting that is not understood */
    static BatchSettings of(SQLConf conf) {
        Setting.Lookup lookup = SparkSettings.in(conf);
        AllSettings.tellUnknown(CollectionConverters.asJava(conf.getAllConfs()).keySet());
        return new BatchSettings(
                SparkSettings.BATCHES.inSpark(lookup).map(BatchSettings::when).orElse(When.AUTO),
                SparkSettings.DEVICE.inSpark(lookup).orElse(Device.CPU).toString(),
                SparkSettings.BATCH_BYTES.inSpark(lookup).orElse(DEFAULT_BYTES));
    }

    @Override
    public String toString() {
        return device;
    }

    private static When when(String word) {
        return When.valueOf(word.toUpperCase(Locale.ROOT));
    }
}
