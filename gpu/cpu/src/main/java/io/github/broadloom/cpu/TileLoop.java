package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.tensor.BoxCopy;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.RawMemory;
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
        /** One tile: an array of stored elements of the result's dtype, valid during the call. */
        void accept(Object elements, int count, TileCursor at);
    }

    /** Writes tiles to their places in a tensor of any strides, which has that number in the nest. */
    static Sink writer(Tensor target, int operand, LoopNest nest, Tiling tiling) {
        int elementBytes = target.dtype().bytes();
        long base = target.address();
        List<BoxCopy> writers = tiling.forms().stream()
                .map(form -> new TileMap(elementBytes, nest, operand, form, 0, nest.rank()).writer())
                .toList();
        return (elements, count, at) -> {
            long address = base + at.offset(operand) * elementBytes;
            writers.get(at.form().number()).copy(elements, RawMemory.firstElement(elements), null, address);
        };
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

    TileLoop(Program program, LoopNest nest, Tiling tiling, List<Tensor> tensors) {
        this(
                program,
                new TileCursor(nest, tiling),
                IntStream.range(0, tensors.size())
                        .mapToObj(i -> new OperandTile(tensors.get(i), i, nest, tiling, program.access(i)))
                        .toList(),
                tiling);
    }

    /** A loop over tiles that others may read, too, one after the other; the operands are in the program's order. */
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

    void run(long firstTile, long endTile, Sink sink) {
        for (long tile = firstTile; tile < endTile; tile++) {
            Cancellation.check();
            cursor.moveTo(tile);
            for (OperandTile operand : operands) {
                operand.load(cursor);
            }
            Tiling.Form form = cursor.form();
            if (kernel != null) {
                kernel.run(arrays, result, form.rows(), form.columns());
            }
            sink.accept(result, form.count(), cursor);
        }
    }

    /**
     * One operand's current tile: an array on the heap, filled from the operand's off-heap memory. A tile that begins at the
     * same address as the one before is there already, so an operand that repeats is read once per repetition, not once
     * per element.
     */
    static final class OperandTile {
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
}
