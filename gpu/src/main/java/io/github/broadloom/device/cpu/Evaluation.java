package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.codegen.TileKernel;
import io.github.broadloom.device.Accumulators;
import io.github.broadloom.device.DyadicFold;
import io.github.broadloom.device.FoldNode;
import io.github.broadloom.device.KernelCache;
import io.github.broadloom.device.RowFold;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * One evaluation: the reductions from the bottom up, each in one pass with the pointwise expression below it, and the
 * functions of lines, then what stands above them. The results of the inner ones are released at the end.
 */
final class Evaluation implements AutoCloseable {
    private final KernelCache<TileKernel> kernels;
    private final Map<Expr, Tensor> leaves = new IdentityHashMap<>();

    Evaluation(KernelCache<TileKernel> kernels) {
        this.kernels = kernels;
    }

    /** A fresh contiguous tensor with the value of the expression. */
    Tensor evaluate(Expr root) {
        evaluateLeavesBelow(root);
        if (root instanceof Along along) {
            return lines(along);
        }
        return root instanceof Reduce reduce ? reduce(reduce) : pointwise(root);
    }

    /** The nodes of a chunk of rows. */
    List<FoldNode> partials(Reduce chunk, long firstRow) {
        evaluateLeavesBelow(chunk);
        return rowNodes(chunk, firstRow);
    }

    /** Writes the value of the expression through the target's strides. */
    void evaluateInto(Expr root, Tensor target) {
        evaluateLeavesBelow(root);
        if (root instanceof Reduce reduce) {
            leaves.put(reduce, reduce(reduce));
        } else if (root instanceof Along along) {
            leaves.put(along, lines(along));
        }
        pointwise(root, target);
    }

    private void evaluateLeavesBelow(Expr root) {
        for (Expr node : root.postOrder()) {
            if (node == root) {
                continue;
            }
            if (node instanceof Reduce inner) {
                leaves.put(inner, reduce(inner));
            } else if (node instanceof Along inner) {
                leaves.put(inner, lines(inner));
            }
        }
    }

    private Tensor pointwise(Expr root) {
        Tensor result = Tensors.empty(root.dtype(), root.shape());
        pointwise(root, result);
        return result;
    }

    /** Whole lines are read one by one, so what they are of is computed first. */
    private Tensor lines(Along along) {
        Expr operand = along.operand();
        if (operand instanceof Input || leaves.containsKey(operand)) {
            return LinePass.run(along, tensor(operand));
        }
        Tensor computed = pointwise(operand);
        Tensor result = LinePass.run(along, computed);
        computed.storage().release();
        return result;
    }

    private void pointwise(Expr root, Tensor target) {
        if (target.numel() == 0) {
            return;
        }
        PointwiseProgram program = PointwiseProgram.of(root);
        List<Tensor> operands = tensors(program);
        List<Tensor> all = new ArrayList<>(operands);
        all.add(target); // walked through as the operands are, only the other way
        LoopNest nest = LoopNest.of(target.layout(), layouts(all));
        Tiling tiling = new Tiling(nest, widestBytes(program.spec()), Tiling.Cut.EVEN);
        run(program.spec(), nest, tiling, operands, new TileWriter(target, operands.size(), nest, tiling));
        Reference.reachabilityFence(target);
    }

    private Tensor reduce(Reduce reduce) {
        if (RowFold.foldsRows(reduce)) {
            RowFold fold = RowFold.of(reduce);
            rowNodes(reduce, 0).forEach(fold::push);
            return fold.finish();
        }
        Accumulators accumulators = Accumulators.of(reduce);
        Tensor result = Tensors.empty(reduce.dtype(), reduce.shape());
        RowStore store = new RowStore(accumulators, result);
        if (reduce.operand().shape().numel() == 0) {
            store.fillIdentity();
        } else {
            run(reduce, accumulators, 0, store);
        }
        Reference.reachabilityFence(result);
        return result;
    }

    private List<FoldNode> rowNodes(Reduce reduce, long firstRow) {
        Shape operand = reduce.operand().shape();
        if (operand.numel() == 0) {
            return List.of();
        }
        Accumulators accumulators = Accumulators.of(reduce);
        long width = reduce.shape().numel() * accumulators.components();
        if (width > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("Cannot reduce dimension 0: " + width
                    + " numbers do not fit in an array; reduce slices of the inner dimensions");
        }
        long rows = operand.rank() == 0 ? 1 : operand.size(0);
        DyadicFold fold = new DyadicFold(accumulators, (int) width, firstRow, reduce.reducedCount() / rows);
        run(reduce, accumulators, firstRow * (operand.numel() / rows), fold::accept);
        return fold.nodes();
    }

    private void run(Reduce reduce, Accumulators accumulators, long elementsBefore, RowPipeline.Output output) {
        RowPipeline pipeline = new RowPipeline(reduce, accumulators, elementsBefore, TileKernel.CAPACITY, output);
        run(reduce.operand(), Tiling.Cut.ALIGNED, pipeline);
    }

    private void run(Expr root, Tiling.Cut cut, TileLoop.Sink sink) {
        PointwiseProgram program = PointwiseProgram.of(root);
        List<Tensor> tensors = tensors(program);
        LoopNest nest = LoopNest.of(Layout.contiguous(root.shape()), layouts(tensors));
        run(program.spec(), nest, new Tiling(nest, widestBytes(program.spec()), cut), tensors, sink);
    }

    private void run(KernelSpec spec, LoopNest nest, Tiling tiling, List<Tensor> tensors, TileLoop.Sink sink) {
        TileKernel kernel = spec.isCopy() ? null : kernels.kernel(spec).fresh();
        new TileLoop(spec, kernel, nest, tiling, tensors).run(0, tiling.tiles(), sink);
        Reference.reachabilityFence(tensors);
    }

    private List<Tensor> tensors(PointwiseProgram program) {
        return program.leaves().stream().map(this::tensor).toList();
    }

    private static List<Layout> layouts(List<Tensor> tensors) {
        return tensors.stream().map(Tensor::layout).toList();
    }

    private static int widestBytes(KernelSpec spec) {
        return spec.operands().stream()
                .mapToInt(operand -> operand.dtype().bytes())
                .reduce(spec.dtype().bytes(), Math::max);
    }

    private Tensor tensor(Expr leaf) {
        Tensor inner = leaves.get(leaf);
        if (inner != null) {
            return inner;
        }
        if (leaf instanceof Input input && input.source() instanceof Tensor tensor) {
            return tensor;
        }
        throw new IllegalArgumentException(
                "Cannot evaluate " + leaf + ": its source is no local tensor; replace the inputs first");
    }

    /** Releases the results of the inner reductions and functions of lines. */
    @Override
    public void close() {
        leaves.values().forEach(tensor -> tensor.storage().release());
        leaves.clear();
    }
}
