package io.github.broadloom.cpu;

import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.plan.Pass;
import io.github.broadloom.kernels.plan.PassPlan;
import io.github.broadloom.kernels.plan.RowBlocks;
import io.github.broadloom.kernels.reduce.RowNodes;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reductions of an operand of which a block of rows at a time is computed, by a plan of its own. */
final class BlockedReduction {
    private final List<Reduce> reductions;
    private final RowBlocks blocks;
    private final Kernels kernels;
    private final Buffers buffers;

    BlockedReduction(Pass.Reduction pass, Kernels kernels, Buffers buffers) {
        this.reductions = pass.results();
        this.blocks = pass.blocks().orElseThrow();
        this.kernels = kernels;
        this.buffers = buffers;
    }

    Executable results() {
        return Executable.of(this::describe, reductions.get(0).foldsRows() ? this::folded : this::kept);
    }

    /** Every row has results of its own. */
    private List<Tensor> kept(int threads) {
        List<Tensor> results = reductions.stream()
                .map(reduce -> Tensors.empty(reduce.dtype(), reduce.shape()))
                .toList();
        for (long first = 0; first < blocks.rows(); first += blocks.blockRows()) {
            try (Evaluation block = new Evaluation(kernels, threads, new Buffers(buffers))) {
                List<Tensor> values = block.values(PassPlan.of(part(first), PassPlan.Rules.CPU, buffers::has));
                for (int i = 0; i < values.size(); i++) {
                    Tensor value = values.get(i);
                    results.get(i).narrow(0, first, value.shape().size(0)).copy_(value);
                }
            }
        }
        return results;
    }

    private List<Tensor> folded(int threads) {
        List<RowFold> folds = reductions.stream().map(RowFold::of).toList();
        fold(folds, 0, threads);
        return folds.stream().map(RowFold::finish).toList();
    }

    /**
     * Folds rows that are a chunk of more.
     *
     * @param firstRow the number of the first row among all
     * @param nodes of each reduction, those of all rows before; then those of the chunk, too
     */
    void fold(long firstRow, Map<Reduce, RowNodes> nodes, int threads) {
        fold(reductions.stream().map(nodes::get).map(Objects::requireNonNull).toList(), firstRow, threads);
    }

    private void fold(List<? extends RowNodes> nodes, long firstRow, int threads) {
        for (long first = 0; first < blocks.rows(); first += blocks.blockRows()) {
            try (Evaluation block = new Evaluation(kernels, threads, new Buffers(buffers))) {
                block.partials(part(first), firstRow + first, nodes);
            }
        }
    }

    /** The reductions of the block that begins with a row. */
    private List<Reduce> part(long first) {
        long count = Math.min(blocks.blockRows(), blocks.rows() - first);
        Expr operand = buffers.isDryRun()
                ? blocks.dryRunRows(first, count, buffers.dryRunTensors())
                : blocks.rows(first, count, node -> buffers.has(node) ? buffers.of(node) : null);
        return reductions.stream()
                .map(reduce -> (Reduce) reduce.withChildren(List.of(operand)))
                .toList();
    }

    private String describe(Detail detail) {
        long rest = blocks.rows() % blocks.blockRows();
        String first = describe(0, detail);
        return blocks.blockRows() + " rows of it at a time:" + first
                + (rest == 0 ? "" : "\nthe last " + rest + ":" + describe(blocks.rows() - rest, detail));
    }

    private String describe(long first, Detail detail) {
        try (Evaluation block = new Evaluation(kernels, 1, new Buffers(buffers))) {
            PassPlan plan = PassPlan.of(part(first), PassPlan.Rules.CPU, buffers::has);
            return "\n" + block.describe(plan, detail).indent(2).stripTrailing();
        }
    }
}
