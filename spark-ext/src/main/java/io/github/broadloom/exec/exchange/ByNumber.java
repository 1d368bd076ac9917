package io.github.broadloom.exec.exchange;

import org.apache.spark.Partitioner;

/** What is shuffled goes to the partition whose number is its key. */
public final class ByNumber extends Partitioner {
    private static final long serialVersionUID = 1L;

    private final int partitions;

    public ByNumber(int partitions) {
        this.partitions = partitions;
    }

    @Override
    public int numPartitions() {
        return partitions;
    }

    @Override
    public int getPartition(Object key) {
        return (Integer) key;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByNumber that && that.partitions == partitions;
    }

    @Override
    public int hashCode() {
        return partitions;
    }
}
