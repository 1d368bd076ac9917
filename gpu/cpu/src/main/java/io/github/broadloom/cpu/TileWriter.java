package io.github.broadloom.cpu;

import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.tensor.BoxCopy;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.util.List;

/** Writes the result's tiles to their places in a tensor of any strides. */
final class TileWriter implements TileLoop.Sink {
    private final TileCursor cursor;
    private final int operand;
    private final int elementBytes;
    private final long base;
    private final List<BoxCopy> writers;

    /** @param operand the target's number in the nest */
    TileWriter(Tensor target, int operand, LoopNest nest, Tiling tiling) {
        this.cursor = new TileCursor(nest, tiling);
        this.operand = operand;
        this.elementBytes = target.dtype().bytes();
        this.base = target.address();
        this.writers = tiling.forms().stream()
                .map(form -> new TileMap(elementBytes, nest, operand, form, 0, nest.rank()).writer())
                .toList();
    }

    @Override
    public void accept(Object elements, int count, long tile, long firstElement) {
        cursor.moveTo(tile);
        long address = base + cursor.offset(operand) * elementBytes;
        writers.get(cursor.form().number()).copy(elements, RawMemory.firstElement(elements), null, address);
    }
}
