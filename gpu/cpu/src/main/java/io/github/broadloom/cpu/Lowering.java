package io.github.broadloom.cpu;

import io.github.broadloom.cpu.products.GemmPass;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Filter;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Search;
import io.github.broadloom.kernels.plan.Pass;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.tensor.Aliasing;
import io.github.broadloom.tensor.Masks;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Chooses what computes each pass of a plan, from where the values lie that it reads. */
record Lowering(Kernels kernels, Buffers buffers) {
    /** What leaves the values of a pass in memory of their own. */
    Executable of(Pass pass) {
        if (pass instanceof Pass.Reduction reduction) {
            return reduction.blocks().isPresent()
                    ? new BlockedReduction(reduction, kernels, buffers).results()
                    : new ReductionPass(reduction.results(), buffers, kernels).results();
        }
        if (pass instanceof Pass.Scan scan) {
            return scan(scan.node(), ScanCarry.NONE);
        }
        if (pass instanceof Pass.Select select) {
            Along along = select.node();
            Tensor operand = buffers.of(along.operand());
            return Executable.of(
                    detail -> "line by line; no kernel",
                    threads -> List.of(
                            along.op().kind().isRanked()
                                    ? RankedPass.run(along, operand, threads)
                                    : LinePass.run(along, operand, threads)));
        }
        if (pass instanceof Pass.View rearranged) {
            return move(rearranged.node());
        }
        if (pass instanceof Pass.Product product) {
            return product(product.node());
        }
        if (pass instanceof Pass.Lookup lookup) {
            return gathered(lookup.node());
        }
        if (pass instanceof Pass.Filtering filtering) {
            Filter filter = filtering.node();
            Tensor operand = buffers.of(filter.operand());
            Tensor mask = buffers.of(filter.mask());
            return Executable.of(
                    detail -> "rows where a mask is true; no kernel", threads -> List.of(Masks.rows(operand, mask)));
        }
        if (pass instanceof Pass.Searching searching) {
            Search search = searching.node();
            Tensor lines = buffers.of(search.lines());
            Tensor values = buffers.of(search.values());
            return Executable.of(
                    detail -> "by binary search; no kernel",
                    threads -> List.of(SearchPass.run(search, lines, values, threads)));
        }
        if (pass instanceof Pass.Groups groups) {
            Grouped grouped = groups.node();
            Tensor operand = buffers.of(grouped.operand());
            Tensor told = buffers.of(grouped.told());
            return Executable.of(
                    detail -> "group by group; no kernel",
                    threads -> List.of(GroupPass.run(grouped, operand, told, threads)));
        }
        Expr node = ((Pass.Single) pass).node();
        return into(node, buffers.fresh(node));
    }

    /** What writes the value of a node, of which that of a pointwise expression or of a joined one is not there, through a target's strides. */
    Executable into(Expr node, Tensor target) {
        return node instanceof Concat concat && !buffers.has(concat)
                ? joined(concat, target)
                : PointwisePass.of(node, buffers, kernels).into(target);
    }

    /** A scan, or of a chunk of rows its part. */
    Executable scan(Along scan, ScanCarry before) {
        Tensor operand = buffers.of(scan.operand());
        return Executable.of(
                detail -> "line by line; no kernel", threads -> List.of(ScanPass.run(scan, operand, before, threads)));
    }

    private Executable move(Rearrange rearrange) {
        Tensor value = buffers.of(rearrange.operand());
        return rearrange
                .viewOp()
                .view(value.layout())
                .map(view -> Executable.ofView(value.asStrided(view)))
                .orElseGet(() -> Executable.of(
                        detail -> "a copy",
                        threads -> List.of(rearrange.viewOp().apply(value))));
    }

    private Executable product(Contraction contraction) {
        Tensor left = buffers.of(contraction.left());
        Tensor right = buffers.of(contraction.right());
        return Executable.of(
                detail -> "products of matrices, " + contraction.contractedCount() + " terms each; no kernel",
                threads -> List.of(GemmPass.run(contraction, left, right, threads)));
    }

    private Executable gathered(Gather gather) {
        Tensor operand = buffers.of(gather.operand());
        List<Tensor> indices = gather.indices().stream().map(buffers::of).toList();
        return Executable.of(
                detail -> "looked up; no kernel",
                threads -> List.of(GatherPass.run(gather, operand, indices, threads)));
    }

    /** Each part is computed into its place, and stored nowhere else. */
    private Executable joined(Concat concat, Tensor target) {
        List<Executable> parts = new ArrayList<>();
        long start = 0;
        for (Expr part : concat.children()) {
            long length = part.shape().size(concat.dim());
            parts.add(into(part, target.narrow(concat.dim(), start, length)));
            start += length;
        }
        return Executable.of(
                detail -> parts.stream()
                        .map(part -> "\n  " + part.how().apply(detail))
                        .collect(Collectors.joining("", "each part in its place", "")),
                threads -> {
                    parts.forEach(part -> part.run(threads));
                    return List.of(target);
                });
    }

    /** Whether no part of what is joined reads what the parts before it have overwritten. */
    static boolean canWriteParts(Concat concat, Tensor target) {
        return concat.shape().equals(target.shape())
                && concat.inputs().stream()
                        .allMatch(input ->
                                input.source() instanceof Tensor read && Aliasing.of(read, target) == Aliasing.APART);
    }
}
