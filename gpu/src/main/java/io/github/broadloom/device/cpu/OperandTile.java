package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.TileKernel;
import io.github.broadloom.tensor.Tensor;

/**
 * One operand's current tile: an array on the heap, filled from the operand's off-heap memory. A tile that begins at the
 * same address as the one before is there already, so an operand that repeats is read once per repetition, not once
 * per element.
 */
final class OperandTile {
    private final Tiling tiling;
    private final TileWalk walk;
    private final TileWalk.Run read;
    private final Object array;
    private long loadedOffset = -1;
    private int loadedSteps;

    OperandTile(Tensor tensor, int operand, LoopNest nest, Tiling tiling) {
        this.tiling = tiling;
        this.walk = new TileWalk(tensor, operand, nest, tiling);
        Object tile = StoredArrays.allocate(tensor.dtype(), TileKernel.CAPACITY);
        this.array = tile;
        this.read = (address, stride, at, count) -> StoredArrays.read(address, stride, tile, at, count);
    }

    /** The array of the operand's stored elements, holding the tile that was loaded last. */
    Object array() {
        return array;
    }

    /** Reads a tile, unless it is there. */
    void load(long tile) {
        long offset = walk.offset(tile);
        int steps = tiling.steps(tile);
        if (offset != loadedOffset || steps > loadedSteps) {
            loadedOffset = offset;
            loadedSteps = steps;
            walk.forEachRun(tile, read);
        }
    }
}
