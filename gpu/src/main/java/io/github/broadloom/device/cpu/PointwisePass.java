package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.DirectKernel;
import io.github.broadloom.codegen.FoldKernel;
import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.KernelSpec.Access;
import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.codegen.TileKernel;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduction;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A fused pointwise program over tensors: the tiles of a loop nest through one kernel, on one thread or several. */
final class PointwisePass {
    /** Tiles that take about as long as to wake another thread. */
    private static final int GRAIN = 16;

    private final Shape shape;
    private final KernelSpec spec;
    private final List<Object> numbers;
    private final Kernels kernels;
    private final List<Tensor> operands;

    PointwisePass(Expr root, Leaves leaves, Kernels kernels) {
        PointwiseProgram program = PointwiseProgram.of(root);
        this.shape = root.shape();
        this.spec = program.spec();
        this.numbers = program.numbers();
        this.kernels = kernels;
        this.operands = leaves.of(program);
    }

    /** Writes the values through the target's strides. */
    void writeTo(Tensor target, int threads) {
        if (target.numel() == 0) {
            return;
        }
        List<Tensor> all = new ArrayList<>(operands);
        all.add(target); // walked through as the operands are, only the other way
        LoopNest nest = LoopNest.of(target.layout(), layouts(all));
        KernelCache<DirectKernel> direct = kernels.direct(DirectNest.reach(spec, nest));
        Optional<DirectNest> rows = DirectNest.ofLarge(spec, nest);
        if (rows.isPresent()) {
            DirectKernel kernel = direct.kernel(rows.get().over(spec)).with(numbers);
            new DirectPass(rows.get(), all, DirectPass.WINDOW_BYTES).run(kernel, threads);
        } else {
            BlockNest.ofLarge(spec, nest)
                    .ifPresentOrElse(
                            blocks -> new BlockPass(blocks, spec, numbers, direct, all).run(threads),
                            () -> throughTiles(target, nest, threads));
        }
    }

    /** The same again and again, over the elements that the operands then have; planned once, for one thread. */
    Runnable repeated(Tensor target) {
        List<Tensor> all = new ArrayList<>(operands);
        all.add(target);
        LoopNest nest = LoopNest.of(target.layout(), layouts(all));
        if (target.numel() == 0 || DirectNest.isLarge(nest)) {
            return () -> writeTo(target, 1);
        }
        Tiling tiling = new Tiling(nest, widestBytes(spec), Tiling.Cut.EVEN);
        KernelSpec tiled = tiled(spec, tiling);
        TileLoop loop = new TileLoop(program(tiled), nest, tiling, operands);
        TileWriter writer = new TileWriter(target, operands.size(), nest, tiling);
        return () -> {
            loop.forget();
            loop.run(0, tiling.tiles(), writer);
        };
    }

    private void throughTiles(Tensor target, LoopNest nest, int threads) {
        Tiling tiling = new Tiling(nest, widestBytes(spec), Tiling.Cut.EVEN);
        KernelSpec tiled = tiled(spec, tiling);
        kernel(tiled); // compiled before there are threads
        long length = Parallel.rangeLength(threads, tiling.tiles(), GRAIN);
        Parallel.forRanges(threads, tiling.tiles(), length, () -> {
            TileLoop loop = new TileLoop(program(tiled), nest, tiling, operands);
            TileWriter writer = new TileWriter(target, operands.size(), nest, tiling);
            return (first, end) -> loop.run(first, end, writer);
        });
    }

    /** What is computed of each element. */
    KernelSpec spec() {
        return spec;
    }

    /** The kernel that folds the values along rows, where there is one. */
    Optional<FoldKernel> fold(List<Access> accesses, Reduction reduction) {
        return kernels.fold(spec.over(accesses), reduction).map(kernel -> kernel.with(numbers));
    }

    /** The operands' parts that some rows read. */
    List<Tensor> operands(long firstRow, long endRow) {
        return operands.stream()
                .map(tensor -> rows(shape, tensor, firstRow, endRow))
                .toList();
    }

    /** Hands the values of some rows on, in row-major order and on the caller's thread. */
    void streamRows(long firstRow, long endRow, TileLoop.Sink sink) {
        rows(List.of(this), firstRow, endRow).run(List.of(sink));
    }

    /** Loops that hand the values of some rows on, in row-major order, of programs of one shape. */
    static TileLoops rows(List<PointwisePass> passes, long firstRow, long endRow) {
        Shape shape = passes.get(0).shape;
        List<Tensor> all = new ArrayList<>(); // each once
        List<List<Integer>> numbers = new ArrayList<>();
        for (PointwisePass pass : passes) {
            numbers.add(
                    pass.operands.stream().map(operand -> number(operand, all)).toList());
        }
        List<Tensor> cut = all.stream()
                .map(tensor -> rows(shape, tensor, firstRow, endRow))
                .toList();
        LoopNest nest = LoopNest.of(
                Layout.contiguous(shape.rank() == 0 ? shape : shape.with(0, endRow - firstRow)), layouts(cut));
        int widest =
                passes.stream().mapToInt(pass -> widestBytes(pass.spec)).max().orElseThrow();
        Tiling tiling = new Tiling(nest, widest, Tiling.Cut.ALIGNED);
        List<TileLoop.Program> programs = new ArrayList<>();
        for (int i = 0; i < passes.size(); i++) {
            programs.add(passes.get(i).program(tiled(passes.get(i).spec, tiling, numbers.get(i))));
        }
        return new TileLoops(programs, numbers, nest, tiling, cut);
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

    private static Tensor rows(Shape shape, Tensor tensor, long firstRow, long endRow) {
        boolean hasRows = shape.rank() > 0
                && tensor.rank() == shape.rank()
                && tensor.shape().size(0) != 1;
        return hasRows ? tensor.narrow(0, firstRow, endRow - firstRow) : tensor;
    }

    /** The program over operands that vary as they do within these tiles. */
    static KernelSpec tiled(KernelSpec spec, Tiling tiling) {
        return tiled(
                spec, tiling, IntStream.range(0, spec.operands().size()).boxed().toList());
    }

    /** @param numbers of the operands, among those of the tiles */
    private static KernelSpec tiled(KernelSpec spec, Tiling tiling, List<Integer> numbers) {
        return spec.isCopy()
                ? spec
                : spec.over(numbers.stream().map(tiling::access).toList());
    }

    private TileLoop.Program program(KernelSpec tiled) {
        return new TileLoop.Program(tiled, fresh(kernel(tiled)));
    }

    private @Nullable TileKernel kernel(KernelSpec tiled) {
        return tiled.isCopy() ? null : kernels.pointwise().kernel(tiled);
    }

    private @Nullable TileKernel fresh(@Nullable TileKernel kernel) {
        return kernel == null ? null : kernel.fresh(numbers);
    }

    private static List<Layout> layouts(List<Tensor> tensors) {
        return tensors.stream().map(Tensor::layout).toList();
    }

    /** The bytes of an element of the widest operand, or of the result. */
    static int widestBytes(KernelSpec spec) {
        return spec.operands().stream()
                .mapToInt(operand -> operand.dtype().bytes())
                .reduce(spec.dtype().bytes(), Math::max);
    }
}
