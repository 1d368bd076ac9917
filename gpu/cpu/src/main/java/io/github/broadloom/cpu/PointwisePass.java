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
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** A fused pointwise program over tensors: the tiles of a loop nest through one kernel, on one thread or several. */
record PointwisePass(Shape shape, KernelSpec spec, List<Object> numbers, Kernels kernels, List<Tensor> operands) {
    /** Tiles that take about as long as to wake another thread. */
    private static final int GRAIN = 16;

    static PointwisePass of(Expr root, Buffers buffers, Kernels kernels) {
        PointwiseProgram program = PointwiseProgram.of(root);
        return new PointwisePass(root.shape(), program.spec(), program.numbers(), kernels, buffers.of(program));
    }

    Executable into(Tensor target) {
        List<Tensor> results = List.of(target);
        if (target.numel() == 0) {
            return Executable.of(detail -> "nothing to compute", threads -> results);
        }
        List<Tensor> all = new ArrayList<>(operands);
        all.add(target); // walked through as the operands are, only the other way
        LoopNest nest =
                LoopNest.of(target.layout(), all.stream().map(Tensor::layout).toList());
        return DirectNest.isLarge(nest)
                ? inPlace(nest, all).orElseGet(() -> throughTiles(target, nest))
                : throughTiles(target, nest);
    }

    /** What reads and writes large tensors where they lie, where there is a kernel for it. */
    private Optional<Executable> inPlace(LoopNest nest, List<Tensor> all) {
        Optional<DirectNest> rows = DirectNest.of(spec, nest);
        if (rows.isPresent()) {
            DirectPass pass = new DirectPass(rows.get(), all, DirectPass.WINDOW_BYTES);
            return Optional.of(
                    inPlace(nest, "", rows.stream().toList(), all, (own, threads) -> pass.run(own.get(0), threads)));
        }
        return BlockPass.of(spec, nest)
                .map(blocks -> inPlace(
                        nest, " in blocks", blocks.forms(), all, (own, threads) -> blocks.run(own, all, threads)));
    }

    private Executable inPlace(
            LoopNest nest,
            String how,
            List<DirectNest> forms,
            List<Tensor> all,
            ObjIntConsumer<List<DirectKernel>> pass) {
        Reach reach = DirectNest.reach(spec, nest);
        List<Kernels.Cached<DirectKernel>> cached = forms.stream()
                .map(rows -> kernels.direct(rows.over(spec), reach))
                .toList();
        return Executable.of(nest + how, cached, threads -> {
            List<DirectKernel> own =
                    cached.stream().map(kernel -> kernel.get().with(numbers)).toList();
            pass.accept(own, threads);
            return all.subList(operands.size(), all.size());
        });
    }

    private Executable throughTiles(Tensor target, LoopNest nest) {
        Tiling tiling = new Tiling(nest, widestBytes(), Tiling.Cut.EVEN);
        KernelSpec tiled =
                tiled(tiling, IntStream.range(0, operands.size()).boxed().toList());
        Supplier<Parallel.Worker> workers = () -> {
            TileLoop loop = new TileLoop(program(tiled), nest, tiling, operands);
            TileLoop.Sink writer = TileLoop.writer(target, operands.size(), nest, tiling);
            return (first, end) -> {
                loop.forget();
                loop.run(first, end, writer);
            };
        };
        return Executable.of(nest, kernels(tiled), threads -> {
                    kernels(tiled).forEach(Kernels.Cached::get); // compiled before there are threads
                    long length = Parallel.rangeLength(threads, tiling.tiles(), GRAIN);
                    Parallel.forRanges(threads, tiling.tiles(), length, workers);
                    return List.of(target);
                })
                .again(() -> {
                    Parallel.Worker worker = workers.get();
                    return () -> worker.run(0, tiling.tiles());
                });
    }

    /** The kernel that folds the values along rows, where there is one. */
    Optional<Kernels.Cached<FoldKernel>> fold(List<Access> accesses, Reduction reduction) {
        return kernels.fold(spec.over(accesses), reduction);
    }

    /** The part of an operand that some rows read. */
    static Tensor rows(Shape shape, Tensor tensor, long firstRow, long endRow) {
        boolean hasRows = shape.rank() > 0
                && tensor.rank() == shape.rank()
                && tensor.shape().size(0) != 1;
        return hasRows ? tensor.narrow(0, firstRow, endRow - firstRow) : tensor;
    }

    /** The program over operands, of those numbers among those of the tiles, that vary as they do there. */
    KernelSpec tiled(Tiling tiling, List<Integer> numbers) {
        return spec.isCopy()
                ? spec
                : spec.over(numbers.stream().map(tiling::access).toList());
    }

    /** The kernel of such a program; none of one that copies. */
    List<Kernels.Cached<TileKernel>> kernels(KernelSpec tiled) {
        return tiled.isCopy() ? List.of() : List.of(kernels.tile(tiled));
    }

    TileLoop.Program program(KernelSpec tiled) {
        return new TileLoop.Program(
                tiled, tiled.isCopy() ? null : kernels.tile(tiled).get().fresh(numbers));
    }

    /** The bytes of an element of the widest operand, or of the result. */
    int widestBytes() {
        return spec.operands().stream()
                .mapToInt(operand -> operand.dtype().bytes())
                .reduce(spec.dtype().bytes(), Math::max);
    }
}
