package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * An input of an expression, with the view ops that carry its elements to where the expression uses them.
 *
 * @param viewOps the first of them is made first
 */
record Leaf(Input input, List<ViewOp> viewOps) {
    /** The leaf that a node is; empty where something is computed below it. */
    static Optional<Leaf> of(Expr node) {
        List<ViewOp> viewOps = new ArrayList<>();
        Expr below = node;
        while (below instanceof Rearrange rearrange) {
            viewOps.add(rearrange.viewOp());
            below = rearrange.operand();
        }
        Collections.reverse(viewOps);
        return below instanceof Input input ? Optional.of(new Leaf(input, viewOps)) : Optional.empty();
    }

    Source source() {
        if (!(input.source() instanceof Source source)) {
            throw new IllegalStateException("Not a source of a distributed tensor: " + input.source());
        }
        return source;
    }

    /** The shape after the viewOps. */
    Shape shape() {
        Shape shape = input.shape();
        for (ViewOp viewOp : viewOps) {
            shape = viewOp.apply(shape);
        }
        return shape;
    }
}
