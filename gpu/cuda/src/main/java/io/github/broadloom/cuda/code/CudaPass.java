package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.LaunchPlan.Place;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.kernels.plan.Pass;
import io.github.broadloom.shape.Layout;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One pass over memory: a pointwise expression, maybe with reductions of its lines; reductions of one operand or a scan with the pointwise
 * expression below them; or products of matrices.
 *
 * @param pass what is computed
 * @param alongLines the reductions that a pointwise expression reads
 * @param operands where they lie
 * @param numbers that the kernels are given
 * @param target where the values go, or, of a reduction, those that it reduces would go
 * @param plan the kernels; none where there is nothing to compute
 */
public record CudaPass(
        Pass pass,
        List<Reduce> alongLines,
        List<Place> operands,
        List<Object> numbers,
        Layout target,
        LaunchPlan plan) {

    public List<CudaLaunch> launches() {
        return plan.launches();
    }

    /** What it does, to complete "Cannot …" in errors. */
    public String action() {
        return "compute "
                + Stream.concat(pass.results().stream(), alongLines.stream())
                        .map(root -> root + " as " + root.dtype() + " " + root.shape())
                        .collect(Collectors.joining(" and "));
    }

    /** One line for people: the loops, how operands are read, the kernels. */
    public String describe() {
        StringBuilder out = new StringBuilder(pass.title());
        alongLines.forEach(reduction -> out.append(" with ").append(reduction).append(" of its lines"));
        if (launches().isEmpty()) {
            return out.append(": nothing to compute").toString();
        }
        out.append(pass instanceof Pass.Product ? matrices() : loops());
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
                + operands.stream()
                        .map(place -> place.dtype().toString())
                        .collect(Collectors.joining(", ", "; operands ", ""));
    }

    private String matrices() {
        return ": " + operands.get(0).layout().shape() + " by "
                + operands.get(1).layout().shape();
    }
}
