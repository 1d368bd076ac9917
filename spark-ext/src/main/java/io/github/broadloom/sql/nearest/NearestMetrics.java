package io.github.broadloom.sql.nearest;

import java.io.Serializable;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What an operator counts.
 *
 * @param rows that came out
 * @param pairs that were searched
 * @param ranked those of them that were ranked one by one
 * @param nanos of the search
 */
record NearestMetrics(SQLMetric rows, SQLMetric pairs, SQLMetric ranked, SQLMetric nanos) implements Serializable {
    static NearestMetrics of(SparkContext context) {
        return new NearestMetrics(
                SQLMetrics.createMetric(context, "number of output rows"),
                SQLMetrics.createMetric(context, "number of pairs"),
                SQLMetrics.createMetric(context, "number of pairs ranked one by one"),
                SQLMetrics.createNanoTimingMetric(context, "time of the search", -1));
    }

    scala.collection.immutable.Map<String, SQLMetric> byName() {
        return scala.collection.immutable.Map.from(CollectionConverters.asScala(
                Map.of("numOutputRows", rows, "numPairs", pairs, "numRanked", ranked, "searchTime", nanos)));
    }

    /** Counts a search of so many pairs. */
    void count(long searched, long rankedPairs, long startNanos) {
        pairs.add(searched);
        ranked.add(rankedPairs);
        nanos.add(System.nanoTime() - startNanos);
    }
}
