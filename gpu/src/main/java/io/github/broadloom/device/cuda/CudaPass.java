package io.github.broadloom.device.cuda;

import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.codegen.cuda.CudaLaunch;
import io.github.broadloom.device.cuda.LaunchPlan.Place;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Layout;
import java.util.List;

/**
 * One pass over memory: a pointwise expression, or a reduction with the pointwise expression below it.
 *
 * @param root what is computed
 * @param program of the pointwise expression
 * @param operands where the program's leaves lie
 * @param target where the program's values go, or, of a reduction, would go
 * @param plan the kernels; none where there is nothing to compute
 */
record CudaPass(Expr root, PointwiseProgram program, List<Place> operands, Layout target, LaunchPlan plan) {

    /** The kernels, one after the other. */
    List<CudaLaunch> launches() {
        return plan.launches();
    }

    /** What it does, to complete "Cannot …" in errors. */
    String action() {
        return "compute " + root + " as " + root.dtype() + " " + root.shape();
    }

    /** One line for people: the loops, how operands are read, the kernels. */
    String describe() {
        StringBuilder out = new StringBuilder(title());
        if (launches().isEmpty()) {
            return out.append(": nothing to compute").toString();
        }
        LoopNest nest = LoopNest.of(target, operands.stream().map(Place::layout).toList());
        out.append(": loops ").append(nest);
        for (int i = 0; i < operands.size(); i++) {
            out.append(i == 0 ? "; operands " : ", ")
                    .append(program.leaves().get(i).dtype())
                    .append(' ')
                    .append(nest.access(i));
        }
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

    private String title() {
        return root instanceof Reduce || root instanceof Along
                ? root + " of " + type(root.children().get(0))
                : "pointwise " + type(root);
    }

    /** The dtype and shape of a node, for people. */
    static String type(Expr node) {
        return node.dtype() + "" + node.shape();
    }
}
