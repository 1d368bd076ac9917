package io.github.broadloom.plan;

import io.github.broadloom.shape.Shape;

/**
 * One input of a stage. In the stage's expressions it is the {@code Input} whose source is the operand's slot.
 *
 * @param slot its index among the stage's operands
 * @param access of a chunk of the stage to the source
 * @param shuffleBytes the bytes that are written for Spark's shuffle, and read again
 * @param wholeChunks whether each task takes just one chunk that lies on the cluster, all of it
 * @param reason why this strategy, for {@code explain}
 */
public record Operand(
        int slot,
        Source source,
        Access access,
        Strategy strategy,
        Transport transport,
        long shuffleBytes,
        boolean wholeChunks,
        String reason) {
    /** Whether all tasks get the very same operand: else what is sent whole is the source, of which each makes its own. */
    public boolean isCommon() {
        return strategy == Strategy.REPLICATE && access.isSame();
    }

    /** What a task holds of what is sent whole. */
    long wholeBytes() {
        return strategy == Strategy.REPLICATE ? replicatedBytes() : source.sizeBytes();
    }

    /** The bytes that are sent to every executor where it is replicated: of what every task needs, repeated elements counted once. */
    long replicatedBytes() {
        return Math.min(source.sizeBytes(), Sizes.bytes(source.dtype(), access.most(Shape.SCALAR)));
    }

    /** The bytes of broadcast variables that it takes. */
    public long broadcastBytes() {
        return switch (transport) {
            case BROADCAST, CHUNK_BROADCAST -> wholeBytes();
            case FILE, PARENT, SHUFFLE, NONE -> 0;
        };
    }
}
