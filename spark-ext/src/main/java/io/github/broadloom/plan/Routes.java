package io.github.broadloom.plan;

import io.github.broadloom.plan.Operands.Found;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;

/**
 * Chooses how each operand of a stage comes to the tasks.
 *
 * @param domain what the stage goes over
 * @param cutDims the dimensions along which that is cut
 * @param grid what each task goes over
 */
record Routes(Settings settings, Stage.Kind kind, Shape domain, int[] cutDims, ChunkGrid grid) {

    Operand operand(Found found) {
        Transport transport = transport(found);
        boolean wholeChunks = transport == Transport.PARENT && Overlaps.areWholeChunks(found, grid);
        Strategy strategy = strategy(found, transport, wholeChunks);
        String reason = new Reasons(domain, cutDims, taskDims(), kind, grid).of(found, strategy, transport);
        long shuffled = transport == Transport.SHUFFLE ? Overlaps.neededBytes(found, grid) : 0;
        int slot = (Integer) found.slot().source();
        return new Operand(slot, found.source(), found.access(), strategy, transport, shuffled, wholeChunks, reason);
    }

    /** The dimensions along which there are tasks: a stream goes along the other one. */
    private int[] taskDims() {
        return kind == Stage.Kind.STREAM ? new int[] {cutDims[0]} : cutDims;
    }

    private Strategy strategy(Found found, Transport transport, boolean wholeChunks) {
        if (!found.isCut(cutDims)) {
            return Strategy.REPLICATE;
        }
        if (transport == Transport.SHUFFLE) {
            return Strategy.SHUFFLE;
        }
        if (!Arrays.stream(taskDims()).allMatch(found.access()::follows)) {
            return Strategy.GRID;
        }
        return transport == Transport.PARENT && !wholeChunks ? Strategy.RESLICE : Strategy.ALIGN;
    }

    private Transport transport(Found found) {
        if (kind == Stage.Kind.DRIVER) {
            return Transport.NONE;
        }
        if (!found.isCut(cutDims)) {
            return Transport.BROADCAST;
        }
        Source source = found.source();
        return switch (source.residence()) {
            case FILE -> Overlaps.ofBlocks(found, grid).isWasteful() ? Transport.SHUFFLE : Transport.FILE;
            case CLUSTER -> Overlaps.ofChunks(found, grid).isWasteful() ? Transport.SHUFFLE : Transport.PARENT;
            case DRIVER, RESULT ->
                source.sizeBytes() > settings.chunkBytes() && grid.chunks() > 1
                        ? Transport.CHUNK_BROADCAST
                        : Transport.BROADCAST;
        };
    }
}
