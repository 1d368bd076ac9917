package io.github.broadloom.sql;

import io.github.broadloom.spark.LocalSpark;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Tests of SQL in a session with the functions of tensors. */
abstract class SqlTest {
    static SparkSession spark;

    @BeforeAll
    static void start() {
        LocalSpark.stop();
        spark = LocalSpark.session(
                "spark.sql.extensions", BroadloomExtensions.class.getName(), "spark.sql.shuffle.partitions", "2");
    }

    @AfterAll
    static void stop() {
        LocalSpark.stop();
    }

    @AfterEach
    void restore() {
        for (String setting : List.of("device", "sql.batches", "sql.batchBytes")) {
            spark.conf().unset("spark.broadloom." + setting);
        }
    }

    /** The rows in the order of their first column, a long. */
    static List<Row> sorted(Dataset<Row> rows) {
        return rows.collectAsList().stream()
                .sorted(Comparator.comparingLong(row -> row.getLong(0)))
                .toList();
    }
}
