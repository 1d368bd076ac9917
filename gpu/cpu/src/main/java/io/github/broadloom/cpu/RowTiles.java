package io.github.broadloom.cpu;

import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.kernels.plan.Stripes;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** How programs of one shape go over some of their rows, in row-major order or in stripes, tile by tile: what several read is read once. */
final class RowTiles {
    private final List<PointwisePass> passes;
    private final List<Tensor> tensors = new ArrayList<>(); // each once
    private final List<List<Integer>> numbers = new ArrayList<>();
    private final LoopNest nest;
    private final Tiling tiling;
    private final List<KernelSpec> programs = new ArrayList<>();

    /** The arrays of a tile, by the operand's number in the nest and how it varies. */
    private record TileKey(int operand, KernelSpec.Access access) {}

    /** All in row-major order. */
    RowTiles(List<PointwisePass> passes, long firstRow, long endRow) {
        this(passes, firstRow, endRow, Stripes.NONE);
    }

    /** @param striped a dimension of which all indices come of some columns inside it before the next columns; {@link Stripes#NONE} */
    RowTiles(List<PointwisePass> passes, long firstRow, long endRow, int striped) {
        this.passes = passes;
        List<Tensor> whole = new ArrayList<>();
        for (PointwisePass pass : passes) {
            numbers.add(pass.operands().stream()
                    .map(operand -> number(operand, whole))
                    .toList());
        }
        Shape shape = passes.get(0).shape();
        whole.forEach(tensor -> tensors.add(PointwisePass.rows(shape, tensor, firstRow, endRow)));
        Layout rows = Layout.contiguous(shape.rank() == 0 ? shape : shape.with(0, endRow - firstRow));
        List<Layout> layouts =
                new ArrayList<>(tensors.stream().map(Tensor::layout).toList());
        if (striped != Stripes.NONE) {
            // Of the accumulators: it keeps rows from being one loop with what is in them, or around them.
            layouts.add(Layout.contiguous(rows.shape().with(striped, 1)).expand(rows.shape()));
        }
        this.nest = LoopNest.of(rows, layouts);
        int widest = passes.stream().mapToInt(PointwisePass::widestBytes).max().orElseThrow();
        this.tiling = new Tiling(nest, widest, striped == Stripes.NONE ? Tiling.Cut.ALIGNED : Tiling.Cut.STRIPES);
        for (int i = 0; i < passes.size(); i++) {
            programs.add(passes.get(i).tiled(tiling, numbers.get(i)));
        }
    }

    /** The place of a tensor among those that are read, behind which it comes if it is not. */
    private static int number(Tensor tensor, List<Tensor> all) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i) == tensor) {
                return i;
            }
        }
        all.add(tensor);
        return all.size() - 1;
    }

    /** The loops, on one thread, over the elements that the operands then have: they take the sinks of the programs. */
    Consumer<List<TileLoop.Sink>> loops() {
        TileCursor cursor = new TileCursor(nest, tiling);
        Map<TileKey, TileLoop.OperandTile> read = new HashMap<>();
        List<TileLoop> loops = new ArrayList<>();
        for (int i = 0; i < passes.size(); i++) {
            TileLoop.Program program = passes.get(i).program(programs.get(i));
            List<TileLoop.OperandTile> own = new ArrayList<>();
            for (int k = 0; k < numbers.get(i).size(); k++) {
                own.add(read.computeIfAbsent(new TileKey(numbers.get(i).get(k), program.access(k)), this::tile));
            }
            loops.add(new TileLoop(program, cursor, own, tiling));
        }
        return sinks -> run(loops, sinks);
    }

    private TileLoop.OperandTile tile(TileKey key) {
        return new TileLoop.OperandTile(tensors.get(key.operand()), key.operand(), nest, tiling, key.access());
    }

    private void run(List<TileLoop> loops, List<TileLoop.Sink> sinks) {
        loops.forEach(TileLoop::forget);
        for (long tile = 0; tile < tiling.tiles(); tile++) {
            for (int i = 0; i < loops.size(); i++) {
                loops.get(i).run(tile, tile + 1, sinks.get(i));
            }
        }
    }

    String describe(Detail detail) {
        List<Kernels.Cached<?>> kernels = new ArrayList<>();
        for (int i = 0; i < passes.size(); i++) {
            kernels.addAll(passes.get(i).kernels(programs.get(i)));
        }
        return Executable.describe(nest, kernels, detail);
    }
}
