package io.github.broadloom.device.cpu;

import io.github.broadloom.device.FoldNode;
import io.github.broadloom.device.RowFold;
import io.github.broadloom.device.ScanCarry;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.tensor.MemoryMeter;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * One evaluation: the reductions from the bottom up, those of one operand in one pass with the pointwise expression
 * below it, the functions of lines, the contractions, and what is rearranged or joined, then what stands above them. The
 * results of the inner ones are released at the end.
 */
final class Evaluation implements AutoCloseable {
    private final Kernels kernels;
    private final int threads;
    private final Leaves leaves;
    private final StripOrder strips;
    private final long arraysBefore = MemoryMeter.arrayBytes();

    Evaluation(Kernels kernels, int threads) {
        this(kernels, threads, new Leaves());
    }

    private Evaluation(Kernels kernels, int threads, Leaves leaves) {
        this.kernels = kernels;
        this.threads = threads;
        this.leaves = leaves;
        this.strips = new StripOrder(leaves);
    }

    /** A fresh contiguous tensor with the value of the expression. */
    Tensor evaluate(Expr root) {
        if (root instanceof Rearrange rearrange) {
            return Rearranging.fresh(rearrange, this::evaluate);
        }
        evaluateLeavesBelow(root);
        if (root instanceof Along along) {
            return lines(along);
        }
        if (root instanceof Concat concat) {
            return joined(concat);
        }
        if (root instanceof Contraction contraction) {
            return contract(contraction);
        }
        return root instanceof Reduce reduce ? reduce(List.of(reduce)).get(0) : pointwise(root);
    }

    /** For each reduction the nodes of a chunk of rows; those of one operand in one pass. */
    List<List<FoldNode>> partials(List<Reduce> chunk, long firstRow) {
        Map<Reduce, List<FoldNode>> nodes = new IdentityHashMap<>();
        for (List<Reduce> sharing : Reduce.byOperand(chunk).values()) {
            evaluateLeavesBelow(sharing.get(0));
            List<List<FoldNode>> found = nodes(sharing, firstRow);
            for (int i = 0; i < found.size(); i++) {
                nodes.put(sharing.get(i), found.get(i));
            }
        }
        return chunk.stream()
                .map(reduce -> nodes.getOrDefault(reduce, List.of()))
                .toList();
    }

    /** What a chunk of rows contributes to a scan. */
    List<FoldNode> partials(Along chunk, long firstRow) {
        evaluateLeavesBelow(chunk);
        return ScanPass.nodes(chunk, firstRow, new PointwisePass(chunk.operand(), leaves, kernels));
    }

    /** A chunk's part of a scan. */
    Tensor scan(Along chunk, ScanCarry before) {
        evaluateLeavesBelow(chunk);
        return lines(chunk, before);
    }

    /** Writes the value of the expression through the target's strides. */
    void evaluateInto(Expr root, Tensor target) {
        evaluateLeavesBelow(root);
        if (root instanceof Reduce reduce) {
            leaves.put(reduce, reduce(List.of(reduce)).get(0));
        } else if (root instanceof Along along) {
            leaves.put(along, lines(along));
        } else if (root instanceof Rearrange rearrange) {
            move(rearrange);
        } else if (root instanceof Concat concat) {
            if (Rearranging.canWriteParts(concat, target)) {
                writeParts(concat, target);
                return;
            }
            leaves.put(concat, joined(concat));
        } else if (root instanceof Contraction contraction) {
            leaves.put(contraction, contract(contraction));
        }
        new PointwisePass(root, leaves, kernels).writeTo(target, threads);
    }

    private void evaluateLeavesBelow(Expr root) {
        List<Expr> order = strips.before(root);
        List<Reduce> inside = new ArrayList<>();
        for (Expr node : order) {
            if (node != root && node instanceof Reduce reduce) {
                inside.add(reduce);
            }
        }
        Map<Expr, List<Reduce>> byOperand = Reduce.byOperand(inside);
        for (Expr node : order) {
            if (node == root || leaves.has(node)) {
                continue;
            }
            if (node instanceof Reduce inner) {
                List<Reduce> sharing = byOperand.getOrDefault(inner.operand(), List.of(inner));
                List<Tensor> results = reduce(sharing);
                for (int i = 0; i < sharing.size(); i++) {
                    leaves.put(sharing.get(i), results.get(i));
                }
            } else if (node instanceof Along inner) {
                leaves.put(inner, lines(inner));
            } else if (node instanceof Rearrange inner) {
                move(inner);
            } else if (node instanceof Concat inner) {
                leaves.put(inner, joined(inner));
            } else if (node instanceof Contraction inner) {
                leaves.put(inner, contract(inner));
            }
        }
    }

    /** The results of reductions that share an operand. */
    private List<Tensor> reduce(List<Reduce> sharing) {
        Strips cut = strips.of(sharing.get(0).operand());
        if (cut == null) {
            return new ReductionPass(sharing.get(0), leaves, kernels).results(sharing, threads);
        }
        if (RowFold.foldsRows(sharing.get(0))) {
            return folded(sharing);
        }
        List<Tensor> results = sharing.stream()
                .map(reduce -> Tensors.empty(reduce.dtype(), reduce.shape()))
                .toList();
        inStrips(cut, sharing, (strip, parts, first) -> {
            List<Tensor> values = strip.reduce(parts);
            for (int i = 0; i < values.size(); i++) {
                Tensor value = values.get(i);
                results.get(i).narrow(0, first, value.shape().size(0)).copy_(value);
                value.release();
            }
        });
        return results;
    }

    private List<Tensor> folded(List<Reduce> sharing) {
        List<List<FoldNode>> nodes = nodes(sharing, 0);
        List<Tensor> results = new ArrayList<>();
        for (int i = 0; i < sharing.size(); i++) {
            RowFold fold = RowFold.of(sharing.get(i));
            nodes.get(i).forEach(fold::push);
            results.add(fold.finish());
        }
        return results;
    }

    /** The nodes of reductions over the rows that share an operand. */
    private List<List<FoldNode>> nodes(List<Reduce> sharing, long firstRow) {
        Strips cut = strips.of(sharing.get(0).operand());
        if (cut == null) {
            return new ReductionPass(sharing.get(0), leaves, kernels).nodes(sharing, firstRow);
        }
        List<RowFold> folds = sharing.stream()
                .map(reduce -> RowFold.of(reduce, firstRow + cut.rows()))
                .toList();
        inStrips(cut, sharing, (strip, parts, first) -> {
            List<List<FoldNode>> found = strip.nodes(parts, firstRow + first);
            for (int i = 0; i < folds.size(); i++) {
                found.get(i).forEach(folds.get(i)::push);
            }
        });
        return folds.stream().map(RowFold::nodes).toList();
    }

    /** Takes the reductions of one strip. */
    private interface StripTask {
        void run(Evaluation strip, List<Reduce> parts, long first);
    }

    private void inStrips(Strips cut, List<Reduce> sharing, StripTask task) {
        for (long first = 0; first < cut.rows(); first += cut.height()) {
            try (Evaluation strip = new Evaluation(kernels, threads, new Leaves(leaves))) {
                Expr operand = cut.strip(first, Math.min(cut.height(), cut.rows() - first));
                List<Reduce> parts = sharing.stream()
                        .map(reduce -> (Reduce) reduce.withChildren(List.of(operand)))
                        .toList();
                strip.evaluateLeavesBelow(parts.get(0));
                task.run(strip, parts, first);
            }
        }
    }

    private Tensor pointwise(Expr root) {
        Tensor result = Tensors.empty(root.dtype(), root.shape());
        new PointwisePass(root, leaves, kernels).writeTo(result, threads);
        return result;
    }

    private Tensor lines(Along along) {
        return lines(along, ScanCarry.NONE);
    }

    /** Whole lines are read one by one, so what they are of is computed first. */
    private Tensor lines(Along along, ScanCarry carry) {
        Expr operand = along.operand();
        if (leaves.has(operand)) {
            return lines(along, leaves.of(operand), carry);
        }
        Tensor computed = pointwise(operand);
        Tensor result = lines(along, computed, carry);
        computed.storage().release();
        return result;
    }

    private Tensor lines(Along along, Tensor operand, ScanCarry carry) {
        return along.op().kind().isScan() ? ScanPass.run(along, operand, carry, threads) : LinePass.run(along, operand);
    }

    /** The operands are read more than once, so they are computed first. */
    private Tensor contract(Contraction contraction) {
        for (Expr operand : contraction.children()) {
            if (!leaves.has(operand)) {
                leaves.put(operand, pointwise(operand));
            }
        }
        Tensor left = leaves.of(contraction.left());
        return ProductPass.run(contraction, left, leaves.of(contraction.right()), threads);
    }

    /** Moves are views of what is computed first, but for those that only a copy can have. */
    private void move(Rearrange rearrange) {
        Expr operand = rearrange.operand();
        if (!leaves.has(operand)) {
            leaves.put(operand, pointwise(operand));
        }
        Tensor value = leaves.of(operand);
        Tensor moved = rearrange.move().apply(value);
        if (moved.storage() == value.storage()) {
            leaves.putView(rearrange, moved);
        } else {
            leaves.put(rearrange, moved);
        }
    }

    private Tensor joined(Concat concat) {
        Tensor result = Tensors.empty(concat.dtype(), concat.shape());
        writeParts(concat, result);
        return result;
    }

    /** Each part is computed into its place, and stored nowhere else. */
    private void writeParts(Concat concat, Tensor target) {
        long start = 0;
        for (Expr part : concat.children()) {
            long length = part.shape().size(concat.dim());
            Tensor place = target.narrow(concat.dim(), start, length);
            new PointwisePass(part, leaves, kernels).writeTo(place, threads);
            start += length;
        }
    }

    @Override
    public void close() {
        MemoryMeter.dropArrays(arraysBefore);
        leaves.close();
    }
}
