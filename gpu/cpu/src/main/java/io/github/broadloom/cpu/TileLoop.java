package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.stream.IntStream;
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
     * What is computed of each tile.
     *
     * @param spec of the kernel, over the accesses that the tiling chose
     * @param kernel null where the result is the one operand as it stands
     */
    record Program(KernelSpec spec, @Nullable TileKernel kernel) {

        /** How the array of an operand's tile varies. */
        Access access(int operand) {
            boolean all = spec.operands().get(operand).access() == Access.VARYING;
            return all ? Access.VARYING : Access.ROW;
        }
    }

    /** A loop over the operands' common iteration space. */
    TileLoop(Program program, LoopNest nest, Tiling tiling, List<Tensor> tensors) {
        this(
                program,
                new TileCursor(nest, tiling),
                IntStream.range(0, tensors.size())
                        .mapToObj(i -> new OperandTile(tensors.get(i), i, nest, tiling, program.access(i)))
                        .toList(),
                tiling);
    }

    /**
     * A loop over tiles that others may read, too, one after the other.
     *
     * @param operands of the program, in its order
     */
    TileLoop(Program program, TileCursor cursor, List<OperandTile> operands, Tiling tiling) {
        this.cursor = cursor;
        this.kernel = program.kernel();
        this.operands = operands.toArray(OperandTile[]::new);
        this.arrays = operands.stream().map(OperandTile::array).toArray();
        this.result = kernel == null
                ? arrays[0]
                : program.spec().dtype().primitive().newArray(tiling.whole().count());
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
            Cancellation.check();
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
