package io.github.broadloom.cpu;

import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.util.List;

/**
 * One operand's current tile: an array on the heap, filled from the operand's off-heap memory. A tile that begins at the
 * same address as the one before is there already, so an operand that repeats is read once per repetition, not once
 * per element.
 */
final class OperandTile {
    private final int operand;
    private final int elementBytes;
    private final long base;
    private final Object array;
    private final long arrayAt;
    private final List<TileMap.Reader> readers;
    private long loadedOffset = -1;
    private int loadedForm;

    /** @param access {@link Access#ROW} for one element of each row, {@link Access#VARYING} for all */
    OperandTile(Tensor tensor, int operand, LoopNest nest, Tiling tiling, Access access) {
        this.operand = operand;
        this.elementBytes = tensor.dtype().bytes();
        this.base = tensor.address();
        this.array = tensor.dtype().primitive().newArray(tiling.whole().count());
        this.arrayAt = RawMemory.firstElement(array);
        int endLoop = access == Access.VARYING ? nest.rank() : tiling.columnLoop();
        this.readers = tiling.forms().stream()
                .map(form -> new TileMap(elementBytes, nest, operand, form, 0, endLoop).reader())
                .toList();
    }

    /** The array of the operand's stored elements, holding the tile that was loaded last. */
    Object array() {
        return array;
    }

    void load(TileCursor at) {
        long offset = at.offset(operand);
        int form = at.form().number();
        if (offset != loadedOffset || form != loadedForm) {
            loadedOffset = offset;
            loadedForm = form;
            readers.get(form).read(base + offset * elementBytes, array, arrayAt);
        }
    }

    /** Forgets the tile: the operand may have other elements now. */
    void forget() {
        loadedOffset = -1;
    }
}
