package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.TileKernel;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;

/**
 * One operand's current tile: an array on the heap, filled from the operand's off-heap memory. A tile that begins at the
 * same address as the one before is there already, so an operand that repeats is read once per repetition, not once
 * per element.
 */
final class OperandTile {
    private final int operand;
    private final Tiling tiling;
    private final Object array;
    private final int elementBytes;
    private final long base;
    private final long[] sizes;
    private final long[] strides;
    private final int innerElements;
    private final long splitStride;
    private final boolean joinsSplit;
    private long loadedOffset = -1;
    private int loadedSteps;

    OperandTile(Tensor tensor, int operand, LoopNest nest, Tiling tiling) {
        this.operand = operand;
        this.tiling = tiling;
        this.array = StoredArrays.allocate(tensor.dtype(), TileKernel.CAPACITY);
        this.elementBytes = tensor.dtype().bytes();
        this.base = tensor.address();
        this.innerElements = tiling.innerElements();
        int split = tiling.splitLoop();
        this.splitStride = split < 0 ? 0 : nest.stride(operand, split);
        long[] sizesSoFar = new long[nest.rank() - split];
        long[] stridesSoFar = new long[nest.rank() - split];
        int rank = 0;
        for (int loop = split + 1; loop < nest.rank(); loop++) {
            boolean joins = rank > 0 && stridesSoFar[rank - 1] == nest.stride(operand, loop) * nest.size(loop);
            long size = joins ? sizesSoFar[--rank] * nest.size(loop) : nest.size(loop);
            sizesSoFar[rank] = size;
            stridesSoFar[rank++] = nest.stride(operand, loop);
        }
        this.sizes = Arrays.copyOf(sizesSoFar, rank);
        this.strides = Arrays.copyOf(stridesSoFar, rank);
        this.joinsSplit = rank == 0 || (rank == 1 && splitStride == strides[0] * sizes[0]);
    }

    /** The array of the operand's stored elements, holding the tile that was loaded last. */
    Object array() {
        return array;
    }

    /** Reads a tile, unless it is there. */
    void load(long tile) {
        long offset = tiling.operandOffset(operand, tile);
        int steps = tiling.steps(tile);
        if (offset == loadedOffset && steps <= loadedSteps) {
            return;
        }
        loadedOffset = offset;
        loadedSteps = steps;
        long address = base + offset * elementBytes;
        if (joinsSplit) {
            long stride = sizes.length == 0 ? splitStride : strides[0];
            StoredArrays.read(address, stride, array, 0, steps * innerElements);
            return;
        }
        for (int step = 0; step < steps; step++) {
            walk(0, address + step * splitStride * elementBytes, step * innerElements, innerElements);
        }
    }

    private void walk(int loop, long address, int at, int elements) {
        if (loop == sizes.length - 1) {
            StoredArrays.read(address, strides[loop], array, at, elements);
            return;
        }
        int inner = elements / (int) sizes[loop];
        for (int i = 0; i < sizes[loop]; i++) {
            walk(loop + 1, address + i * strides[loop] * elementBytes, at + i * inner, inner);
        }
    }
}
