package io.github.broadloom.source;

import io.github.broadloom.exec.metrics.TaskMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** The bytes that a scan read from files, as Spark's UI shows them beside it. */
public final class FileBytesMetric extends CustomSumMetric {
    /** Made by Spark, by the name of the class. */
    public FileBytesMetric() {}

    @Override
    public String name() {
        return TaskMetric.FILE_BYTES.label();
    }

    @Override
    public String description() {
        return "bytes read from files";
    }

    /** Of one partition. */
    record Read(long value) implements CustomTaskMetric {
        @Override
        public String name() {
            return TaskMetric.FILE_BYTES.label();
        }
    }
}
