package io.github.broadloom.exec;

import org.apache.spark.Partition;
import org.apache.spark.broadcast.Broadcast;

/** The rows {@code start <= row < end} of a chunked tensor, with what its task needs beyond what all tasks share. */
final class ChunkPartition implements Partition {
    private static final long serialVersionUID = 1L;

    private final int index;
    private final long start;
    private final long end;
    private final Partition[][] parents;
    private final Broadcast<Block>[] pieces;

    /**
     * @param parents for each parent the partitions that overlap these rows
     * @param pieces for each operand that travels in chunks this chunk's
     */
    ChunkPartition(int index, long start, long end, Partition[][] parents, Broadcast<Block>[] pieces) {
        this.index = index;
        this.start = start;
        this.end = end;
        this.parents = parents;
        this.pieces = pieces;
    }

    @Override
    public int index() {
        return index;
    }

    long start() {
        return start;
    }

    long end() {
        return end;
    }

    Partition[] parents(int parent) {
        return parents[parent];
    }

    Broadcast<Block> piece(int piece) {
        return pieces[piece];
    }

    @Override
    public int hashCode() {
        return index;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChunkPartition partition
                && partition.index == index
                && partition.start == start
                && partition.end == end;
    }

    /** Scala's trait asks for the name under which it reaches {@code Object.equals}. */
    @SuppressWarnings("MemberName")
    public boolean org$apache$spark$Partition$$super$equals(Object other) {
        return this == other;
    }
}
