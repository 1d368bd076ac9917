package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;

/** Where the tiles of one tensor lie in its memory: runs of elements at a constant step. */
final class TileWalk {
    private final int operand;
    private final Tiling tiling;
    private final int elementBytes;
    private final long base;
    private final long[] sizes;
    private final long[] strides;
    private final int innerElements;
    private final long splitStride;
    private final boolean joinsSplit;

    /** Takes one run of a tile. */
    interface Run {
        /**
         * Elements {@code at} to before {@code at + count} of the tile.
         *
         * @param stride the step between them in memory, in elements
         */
        void accept(long address, long stride, int at, int count);
    }

    /** @param operand the tensor's number in the nest */
    TileWalk(Tensor tensor, int operand, LoopNest nest, Tiling tiling) {
        this.operand = operand;
        this.tiling = tiling;
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

    /** Where a tile begins, in elements from the tensor's first. */
    long offset(long tile) {
        return tiling.operandOffset(operand, tile);
    }

    /** Hands on the runs of a tile in the order of its elements. */
    void forEachRun(long tile, Run run) {
        int steps = tiling.steps(tile);
        long address = base + offset(tile) * elementBytes;
        if (joinsSplit) {
            run.accept(address, sizes.length == 0 ? splitStride : strides[0], 0, steps * innerElements);
            return;
        }
        for (int step = 0; step < steps; step++) {
            walk(0, address + step * splitStride * elementBytes, step * innerElements, innerElements, run);
        }
    }

    private void walk(int loop, long address, int at, int elements, Run run) {
        if (loop == sizes.length - 1) {
            run.accept(address, strides[loop], at, elements);
            return;
        }
        int inner = elements / (int) sizes[loop];
        for (int i = 0; i < sizes[loop]; i++) {
            walk(loop + 1, address + i * strides[loop] * elementBytes, at + i * inner, inner, run);
        }
    }
}
