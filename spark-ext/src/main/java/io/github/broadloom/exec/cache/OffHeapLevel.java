package io.github.broadloom.exec.cache;

import io.github.broadloom.exec.GrantedMemory;
import org.apache.spark.SparkConf;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;

/**
 * Where Spark counts the chunks that it keeps in memory: off the heap, where they lie, as soon as {@code spark.memory.offHeap.size} sets memory aside there; else against the heap's share, which is all that there is. They
 * stay tensors in either case: a level that is off the heap and deserialized has no name among Spark's, whose own values cannot lie there, but since 4.2 its memory store counts values in the mode of their level.
 */
public final class OffHeapLevel {
    private OffHeapLevel() {}

    /** Makes Spark keep chunks. */
    public static <T> RDD<T> persist(RDD<T> chunks, StorageLevel level) {
        return chunks.persist(of(level, chunks.sparkContext().getConf()));
    }

    static StorageLevel of(StorageLevel level, SparkConf conf) {
        boolean values = level.useMemory() && level.deserialized();
        return values && GrantedMemory.offHeapBytes(conf) > 0
                ? StorageLevel.apply(level.useDisk(), true, true, true, level.replication())
                : level;
    }
}
