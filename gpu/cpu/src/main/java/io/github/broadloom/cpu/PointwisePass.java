package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.DirectKernel;
import io.github.broadloom.cpu.code.DirectKernel.Reach;
import io.github.broadloom.cpu.code.FoldKernel;
import io.github.broadloom.cpu.code.TileKernel;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A fused pointwise program over tensors: the tiles of a loop nest through one kernel, on one thread or several. */
final class PointwisePass {
    /** Tiles that take about as long as to wake another thread. */
    private static final int GRAIN = 16;

    private final Shape shape;
    private final KernelSpec spec;
    private final List<Object> numbers;
    private final Kernels kernels;
    private final List<Tensor> operands;

    PointwisePass(Expr root, Buffers buffers, Kernels kernels) {
        PointwiseProgram program = PointwiseProgram.of(root);
        this.shape = root.shape();
        this.spec = program.spec();
        this.numbers = program.numbers();
        this.kernels = kernels;
        this.operands = buffers.of(program);
    }

    /** What writes the values through the target's strides. */
    Executable into(Tensor target) {
        List<Tensor> results = List.of(target);
        if (target.numel() == 0) {
            return Executable.of(detail -> "nothing to compute", threads -> results);
        }
        List<Tensor> all = new ArrayList<>(operands);
        all.add(target); // walked through as the operands are, only the other way
        LoopNest nest = LoopNest.of(target.layout(), layouts(all));
        return DirectNest.isLarge(nest)
                ? inPlace(nest, all).orElseGet(() -> throughTiles(target, nest))
                : throughTiles(target, nest);
    }

    /** What reads and writes large tensors where they lie, where there is a kernel for it. */
    private Optional<Executable> inPlace(LoopNest nest, List<Tensor> all) {
        List<Tensor> results = all.subList(operands.size(), all.size());
        Reach reach = DirectNest.reach(spec, nest);
        Optional<Executable> direct = DirectNest.of(spec, nest).map(rows -> {
            CachedKernel<DirectKernel> kernel = kernels.direct(rows.over(spec), reach);
            return Executable.of(nest, List.of(kernel), threads -> {
                new DirectPass(rows, all, DirectPass.WINDOW_BYTES)
                        .run(kernel.get().with(numbers), threads);
                return results;
            });
        });
        return direct.or(() -> BlockNest.of(spec, nest).map(blocks -> {
            List<CachedKernel<DirectKernel>> forms = blocks.forms().stream()
                    .map(rows -> kernels.direct(rows.over(spec), reach))
                    .toList();
            return Executable.of(nest + " in blocks", forms, threads -> {
                new BlockPass(blocks, forms, numbers, all).run(threads);
                return results;
            });
        }));
    }

    /** The same again and again, over the elements that the operands then have; planned once, for one thread. */
    Runnable repeated(Tensor target) {
        List<Tensor> all = new ArrayList<>(operands);
        all.add(target);
        LoopNest nest = LoopNest.of(target.layout(), layouts(all));
        if (target.numel() == 0 || DirectNest.isLarge(nest)) {
            return () -> into(target).run(1);
        }
        Tiling tiling = new Tiling(nest, widestBytes(), Tiling.Cut.EVEN);
        KernelSpec tiled = tiled(tiling);
        TileLoop loop = new TileLoop(program(tiled), nest, tiling, operands);
        TileWriter writer = new TileWriter(target, operands.size(), nest, tiling);
        return () -> {
            loop.forget();
            loop.run(0, tiling.tiles(), writer);
        };
    }

    private Executable throughTiles(Tensor target, LoopNest nest) {
        Tiling tiling = new Tiling(nest, widestBytes(), Tiling.Cut.EVEN);
        KernelSpec tiled = tiled(tiling);
        return Executable.of(nest, kernels(tiled), threads -> {
            kernels(tiled).forEach(CachedKernel::get); // compiled before there are threads
            long length = Parallel.rangeLength(threads, tiling.tiles(), GRAIN);
            Parallel.forRanges(threads, tiling.tiles(), length, () -> {
                TileLoop loop = new TileLoop(program(tiled), nest, tiling, operands);
                TileWriter writer = new TileWriter(target, operands.size(), nest, tiling);
                return (first, end) -> loop.run(first, end, writer);
            });
            return List.of(target);
        });
    }

    /** What is computed of each element. */
    KernelSpec spec() {
        return spec;
    }

    /** The kernel that folds the values along rows, where there is one. */
    Optional<CachedKernel<FoldKernel>> fold(List<Access> accesses, Reduction reduction) {
        return kernels.fold(spec.over(accesses), reduction);
    }

    /** What the kernels are given. */
    List<Object> numbers() {
        return numbers;
    }

    Shape shape() {
        return shape;
    }

    List<Tensor> operands() {
        return operands;
    }

    /** The loops over some rows. */
    RowTiles rows(long firstRow, long endRow) {
        return new RowTiles(List.of(this), firstRow, endRow);
    }

    /** The part of an operand that some rows read. */
    static Tensor rows(Shape shape, Tensor tensor, long firstRow, long endRow) {
        boolean hasRows = shape.rank() > 0
                && tensor.rank() == shape.rank()
                && tensor.shape().size(0) != 1;
        return hasRows ? tensor.narrow(0, firstRow, endRow - firstRow) : tensor;
    }

    private KernelSpec tiled(Tiling tiling) {
        return tiled(tiling, IntStream.range(0, operands.size()).boxed().toList());
    }

    /**
     * The program over operands that vary as they do within these tiles.
     *
     * @param numbers of the operands, among those of the tiles
     */
    KernelSpec tiled(Tiling tiling, List<Integer> numbers) {
        return spec.isCopy()
                ? spec
                : spec.over(numbers.stream().map(tiling::access).toList());
    }

    /** The kernel of such a program; none of one that copies. */
    List<CachedKernel<TileKernel>> kernels(KernelSpec tiled) {
        return tiled.isCopy() ? List.of() : List.of(kernels.tile(tiled));
    }

    TileLoop.Program program(KernelSpec tiled) {
        return new TileLoop.Program(
                tiled, tiled.isCopy() ? null : kernels.tile(tiled).get().fresh(numbers));
    }

    private static List<Layout> layouts(List<Tensor> tensors) {
        return tensors.stream().map(Tensor::layout).toList();
    }

    /** The bytes of an element of the widest operand, or of the result. */
    int widestBytes() {
        return spec.operands().stream()
                .mapToInt(operand -> operand.dtype().bytes())
                .reduce(spec.dtype().bytes(), Math::max);
    }
}
