package io.github.broadloom.exec.read;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.columnar.CachedRDDBuilder;
import org.apache.spark.sql.util.PartitionKeyedAccumulator;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.util.AccumulatorContext;
import org.apache.spark.util.AccumulatorV2;
import scala.Tuple2;

/** How many rows each partition of a table in memory has, as Spark counted them when it put them there: no task needs to look. */
final class CachedCounts {
    private CachedCounts() {}

    /**
     * Nothing where Spark does not keep every partition now: it may have read a part of one that it did not keep, and counts what it read (SPARK-58412).
     *
     * @return the rows of each partition, in order
     */
    static Optional<long[]> of(CachedRDDBuilder table) {
        RDD<?> batches = table.cachedColumnBuffers();
        if (!table.isCachedColumnBuffersLoaded() || !isKept(batches)) {
            return Optional.empty();
        }
        AccumulatorV2<?, ?> counted =
                AccumulatorContext.get(table.materializationAccumulatorId()).getOrElse(() -> null);
        return counted instanceof PartitionKeyedAccumulator<?> of
                ? counts(of.value(), batches.getNumPartitions())
                : Optional.empty();
    }

    private static boolean isKept(RDD<?> batches) {
        return Arrays.stream(batches.context().getRDDStorageInfo())
                .filter(kept -> kept.id() == batches.id())
                .anyMatch(CachedCounts::isWhole);
    }

    private static boolean isWhole(RDDInfo kept) {
        return kept.numCachedPartitions() == kept.numPartitions();
    }

    /** @param counted of each partition the rows and the bytes */
    private static Optional<long[]> counts(Map<Object, ?> counted, int partitions) {
        long[] rows = new long[partitions];
        for (int i = 0; i < partitions; i++) {
            if (!(counted.get(i) instanceof Tuple2<?, ?> pair && pair._1() instanceof Long count)) {
                return Optional.empty();
            }
            rows[i] = count;
        }
        return Optional.of(rows);
    }
}
