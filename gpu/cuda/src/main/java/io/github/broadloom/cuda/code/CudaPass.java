package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.LaunchPlan.Place;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.kernels.plan.Pass;
import io.github.broadloom.shape.Layout;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One pass over memory: a pointwise expression, maybe with reductions of its lines; reductions of one operand or a scan with the pointwise
 * expression below them; or products of matrices.
 *
 * @param roots what is computed; behind a pointwise expression the reductions that it reads
 * @param dtypes of the operands
 * @param operands where they lie
 * @param numbers that the kernels are given
 * @param target where the values go, or, of a reduction, those that it reduces would go
 * @param plan the kernels; none where there is nothing to compute
 */
public record CudaPass(
        List<? extends Expr> roots,
        List<DType> dtypes,
        List<Place> operands,
        List<Object> numbers,
        Layout target,
        LaunchPlan plan) {

    /** The kernels, one after the other. */
    public List<CudaLaunch> launches() {
        return plan.launches();
    }

    /** What it does, to complete "Cannot …" in errors. */
    public String action() {
        return "compute "
                + roots.stream()
                        .map(root -> root + " as " + root.dtype() + " " + root.shape())
                        .collect(Collectors.joining(" and "));
    }

    /** One line for people: the loops, how operands are read, the kernels. */
    public String describe() {
        StringBuilder out = new StringBuilder(title());
        if (launches().isEmpty()) {
            return out.append(": nothing to compute").toString();
        }
        out.append(
                roots.get(0) instanceof Contraction && operands.size() == 2
                        ? matrices()
                        : loops()); // a copy of it has one
        for (CudaLaunch launch : launches()) {
            out.append("; kernel ")
                    .append(launch.source().entry())
                    .append(", ")
                    .append(launch.blocks())
                    .append(" × ")
                    .append(launch.threads())
                    .append(" threads");
        }
        return out.toString();
    }

    private String loops() {
        LoopNest nest = LoopNest.of(target, operands.stream().map(Place::layout).toList());
        return ": loops " + nest
                + dtypes.stream().map(DType::toString).collect(Collectors.joining(", ", "; operands ", ""));
    }

    private String matrices() {
        return ": " + operands.get(0).layout().shape() + " by "
                + operands.get(1).layout().shape();
    }

    private String title() {
        Expr root = roots.get(0);
        return root instanceof Reduce || root instanceof Along || root instanceof Contraction
                ? roots.stream().map(Expr::toString).collect(Collectors.joining(" and ")) + " of "
                        + Pass.type(root.children().get(0))
                : "pointwise " + Pass.type(root)
                        + roots.stream()
                                .skip(1)
                                .map(reduction -> " with " + reduction + " of its lines")
                                .collect(Collectors.joining());
    }
}
