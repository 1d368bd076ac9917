package io.github.broadloom.exec.exchange;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.read.BlockReader;
import io.github.broadloom.plan.Box;
import org.apache.spark.Partition;
import org.apache.spark.broadcast.Broadcast;

/** One block of a chunked tensor, with what its task needs beyond what all tasks share. */
public final class ChunkPartition implements Partition {
    private static final long serialVersionUID = 1L;

    private final int index;
    private final Box box;
    private final Partition[][] parents;
    private final Broadcast<Block>[] pieces;
    private final BlockReader[] readers;

    /**
     * @param parents for each parent the partitions that overlap the block
     * @param pieces for each operand that travels in chunks this chunk's
     * @param readers of the files that operands lie in, of what the block needs of each
     */
    public ChunkPartition(int index, Box box, Partition[][] parents, Broadcast<Block>[] pieces, BlockReader[] readers) {
        this.index = index;
        this.box = box;
        this.parents = parents;
        this.pieces = pieces;
        this.readers = readers;
    }

    @Override
    public int index() {
        return index;
    }

    /** What it covers of what the stage goes over. */
    public Box box() {
        return box;
    }

    Partition[] parents(int parent) {
        return parents[parent];
    }

    Broadcast<Block> piece(int piece) {
        return pieces[piece];
    }

    BlockReader reader(int reader) {
        return readers[reader];
    }

    @Override
    public int hashCode() {
        return index;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChunkPartition partition && partition.index == index && partition.box.equals(box);
    }

    /** Scala's trait asks for the name under which it reaches {@code Object.equals}. */
    @SuppressWarnings("MemberName")
    public boolean org$apache$spark$Partition$$super$equals(Object other) {
        return this == other;
    }
}
