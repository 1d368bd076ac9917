package io.github.broadloom.exec.read;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.columnar.CachedRDDBuilder;
import org.apache.spark.util.AccumulatorContext;
import org.apache.spark.util.AccumulatorV2;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** How many rows each partition of a table in memory has, as Spark 4.2 counts them when it puts them there: no task needs to look. */
final class CachedCounts {
    private static final @Nullable Method ACCUMULATOR_ID = accumulatorId();

    private CachedCounts() {}

    /** Of Spark 4.2; before, only the rows of all partitions together were counted. */
    private static @Nullable Method accumulatorId() {
        try {
            return CachedRDDBuilder.class.getMethod("materializationAccumulatorId");
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /**
     * Nothing where Spark does not keep every partition now: it may have read a part of one that it did not keep, and counts what it read (SPARK-58412).
     *
     * @return the rows of each partition, in order
     */
    static Optional<long[]> of(CachedRDDBuilder table) {
        RDD<?> batches = table.cachedColumnBuffers();
        if (ACCUMULATOR_ID == null || !table.isCachedColumnBuffersLoaded() || !isKept(batches)) {
            return Optional.empty();
        }
        try {
            AccumulatorV2<?, ?> counted =
                    AccumulatorContext.get((Long) ACCUMULATOR_ID.invoke(table)).getOrElse(() -> null);
            return counted != null && counted.value() instanceof Map<?, ?> of
                    ? counts(of, batches.getNumPartitions())
                    : Optional.empty();
        } catch (ReflectiveOperationException e) {
            return Optional.empty(); // a task looks
        }
    }

    private static boolean isKept(RDD<?> batches) {
        return Arrays.stream(batches.context().getRDDStorageInfo())
                .filter(kept -> kept.id() == batches.id())
                .anyMatch(kept -> kept.numCachedPartitions() == kept.numPartitions());
    }

    /** @param counted of each partition the rows and the bytes */
    private static Optional<long[]> counts(Map<?, ?> counted, int partitions) {
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
