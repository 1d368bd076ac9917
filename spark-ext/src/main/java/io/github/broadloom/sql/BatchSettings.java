package io.github.broadloom.sql;

import java.io.Serializable;
import java.util.Locale;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.internal.SQLConf;

/**
 * How functions of tensors are evaluated, from the session's settings.
 *
 * @param when {@code spark.broadloom.sql.batches}
 * @param device {@code spark.broadloom.device}
 * @param bytes {@code spark.broadloom.sql.batchBytes}: about how much the cells of a batch come to
 */
public record BatchSettings(When when, String device, long bytes) implements Serializable {
    private static final String DEFAULT_BYTES = "4m";

    /** When rows are gathered into batches. */
    public enum When {
        /** Where a cell is an array, or the device is not the CPU. */
        AUTO,
        ALWAYS,
        NEVER
    }

    /**
     * The settings of a session.
     *
     * @throws IllegalArgumentException naming the setting that is not understood
     */
    static BatchSettings of(SQLConf conf) {
        String when = conf.getConfString("spark.broadloom.sql.batches", "auto");
        return new BatchSettings(
                when(when),
                conf.getConfString("spark.broadloom.device", "cpu"),
                JavaUtils.byteStringAsBytes(conf.getConfString("spark.broadloom.sql.batchBytes", DEFAULT_BYTES)));
    }

    @Override
    public String toString() {
        return device;
    }

    private static When when(String text) {
        try {
            return When.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Cannot read spark.broadloom.sql.batches: '" + text + "'; use auto, always or never", e);
        }
    }
}
