package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** How programs of one shape go over some of their rows, in row-major order, tile by tile: what several read is read once. */
final class RowTiles {
    private final List<PointwisePass> passes;
    private final List<Tensor> tensors = new ArrayList<>(); // each once
    private final List<List<Integer>> numbers = new ArrayList<>();
    private final LoopNest nest;
    private final Tiling tiling;
    private final List<KernelSpec> programs = new ArrayList<>();

    RowTiles(List<PointwisePass> passes, long firstRow, long endRow) {
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
        this.nest = LoopNest.of(rows, tensors.stream().map(Tensor::layout).toList());
        int widest = passes.stream().mapToInt(PointwisePass::widestBytes).max().orElseThrow();
        this.tiling = new Tiling(nest, widest, Tiling.Cut.ALIGNED);
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

    /** The loops, ready to run. */
    TileLoops loops() {
        List<TileLoop.Program> ready = new ArrayList<>();
        for (int i = 0; i < passes.size(); i++) {
            ready.add(passes.get(i).program(programs.get(i)));
        }
        return new TileLoops(ready, numbers, nest, tiling, tensors);
    }

    String describe(Detail detail) {
        List<CachedKernel<?>> kernels = new ArrayList<>();
        for (int i = 0; i < passes.size(); i++) {
            kernels.addAll(passes.get(i).kernels(programs.get(i)));
        }
        return Executable.describe(nest, kernels, detail);
    }
}
