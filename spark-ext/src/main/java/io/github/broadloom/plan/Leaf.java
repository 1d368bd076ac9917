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
 * An input of an expression, with the moves that carry its elements to where the expression uses them.
 *
 * @param moves the first of them is made first
 */
record Leaf(Input input, List<ViewOp> moves) {
    /** The leaf that a node is; empty where something is computed below it. */
    static Optional<Leaf> of(Expr node) {
        List<ViewOp> moves = new ArrayList<>();
        Expr below = node;
        while (below instanceof Rearrange rearrange) {
            moves.add(rearrange.move());
            below = rearrange.operand();
        }
        Collections.reverse(moves);
        return below instanceof Input input ? Optional.of(new Leaf(input, moves)) : Optional.empty();
    }

    Source source() {
        if (!(input.source() instanceof Source source)) {
            throw new IllegalStateException("Not a source of a distributed tensor: " + input.source());
        }
        return source;
    }

    /** The shape after the moves. */
    Shape shape() {
        Shape shape = input.shape();
        for (ViewOp move : moves) {
            shape = move.apply(shape);
        }
        return shape;
    }
}
