package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.tensor.Tensor;

/** Writes the result's tiles to their places in a tensor of any strides. */
final class TileWriter implements TileLoop.Sink {
    private final TileWalk walk;
    private Object elements = new Object();
    private final TileWalk.Run write =
            (address, stride, at, count) -> StoredArrays.write(elements, at, count, address, stride);

    /** @param operand the target's number in the nest */
    TileWriter(Tensor target, int operand, LoopNest nest, Tiling tiling) {
        this.walk = new TileWalk(target, operand, nest, tiling);
    }

    @Override
    public void accept(Object tileElements, int count, long tile, long firstElement) {
        elements = tileElements;
        walk.forEachRun(tile, write);
    }
}
