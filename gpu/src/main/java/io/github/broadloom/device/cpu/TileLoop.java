package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.KernelSpec.Access;
import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.TileKernel;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs one kernel over a range of tiles: load the operands' tiles, run, hand the result's tile on. An instance serves
 * one thread; several over disjoint ranges may run at once.
 */
final class TileLoop {

    /** Takes the result's tiles in the order of iteration. */
    interface Sink {
        /**
         * One tile.
         *
         * @param elements an array of the result dtype's stored elements, valid during the call
         * @param count how many
         * @param tile the tile's number
         * @param firstElement the number of its first element among all
         */
        void accept(Object elements, int count, long tile, long firstElement);
    }

    private final TileCursor cursor;
    private final OperandTile[] operands;
    private final Object[] arrays;
    private final Object result;
    private final @Nullable TileKernel kernel;

    /**
     * A loop over the operands' common iteration space.
     *
     * @param spec of the kernel, over the accesses that the tiling chose
     * @param kernel null where the result is the one operand as it stands
     */
    TileLoop(KernelSpec spec, @Nullable TileKernel kernel, LoopNest nest, Tiling tiling, List<Tensor> tensors) {
        this.cursor = new TileCursor(nest, tiling);
        this.kernel = kernel;
        this.operands = new OperandTile[tensors.size()];
        this.arrays = new Object[tensors.size()];
        for (int i = 0; i < operands.length; i++) {
            boolean all = spec.operands().get(i).access() == Access.VARYING;
            operands[i] = new OperandTile(tensors.get(i), i, nest, tiling, all ? Access.VARYING : Access.ROW);
            arrays[i] = operands[i].array();
        }
        this.result = kernel == null
                ? arrays[0]
                : StoredArrays.allocate(spec.dtype(), tiling.whole().count());
    }

    /** Forgets what was read, because the operands may have other elements now. */
    void forget() {
        for (OperandTile operand : operands) {
            operand.forget();
        }
    }

    /** Runs the tiles from {@code firstTile} to before {@code endTile}. */
    void run(long firstTile, long endTile, Sink sink) {
        for (long tile = firstTile; tile < endTile; tile++) {
            cursor.moveTo(tile);
            for (OperandTile operand : operands) {
                operand.load(cursor);
            }
            TileForm form = cursor.form();
            if (kernel != null) {
                kernel.run(arrays, result, form.rows(), form.columns());
            }
            sink.accept(result, form.count(), tile, cursor.firstElement());
        }
    }
}
