package io.github.broadloom.plan;

/**
 * One input of a stage. In the stage's expressions it is the {@code Input} whose source is the operand's slot.
 *
 * @param slot its index among the stage's operands
 * @param rowBytes for {@link Strategy#ALIGN} the bytes of one row, else of the whole operand
 * @param reason why this strategy, for {@code explain}
 */
public record Operand(int slot, Source source, Strategy strategy, Transport transport, long rowBytes, String reason) {
    /** The bytes of it that the task of a chunk with this many rows reads. */
    public long taskBytes(long rows) {
        return strategy == Strategy.ALIGN ? Sizes.saturated(rows, rowBytes) : rowBytes;
    }

    /** The bytes of broadcast variables that it takes. */
    public long broadcastBytes() {
        return switch (transport) {
            case BROADCAST, CHUNK_BROADCAST -> source.sizeBytes();
            case FILE, PARENT, NONE -> 0;
        };
    }
}
