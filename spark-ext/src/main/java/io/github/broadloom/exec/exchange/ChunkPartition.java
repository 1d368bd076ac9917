package io.github.broadloom.exec.exchange;

import io.github.broadloom.exec.Block;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.tensor.Box;
import org.apache.spark.Partition;
import org.apache.spark.broadcast.Broadcast;

/**
 * One block of a chunked tensor, with what its task needs beyond what all tasks share.
 *
 * @param box what it covers of what the stage goes over
 * @param parents for each parent the partitions that overlap the block
 * @param pieces for each operand that is broadcast in chunks this chunk's
 * @param readers of the files that operands lie in, of what the block needs of each
 */
public record ChunkPartition(
        int index, Box box, Partition[][] parents, Broadcast<Block>[] pieces, BlockReader[] readers)
        implements Partition {}
