package io.github.broadloom.kernels.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Pointwise;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.LineProgram;
import io.github.broadloom.kernels.PointwiseProgram;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The reductions that need no pass: only pointwise expressions read them, to which they are {@linkplain LineProgram reductions of their lines}. */
final class LineReductions {
    private final Predicate<Along> fuses;
    private final Predicate<Expr> isThere;
    private final Set<Expr> ofLines = Collections.newSetFromMap(new IdentityHashMap<>());

    private LineReductions(Predicate<Along> fuses, Predicate<Expr> isThere) {
        this.fuses = fuses;
        this.isThere = isThere;
    }

    /** Those below the root of a plan. */
    static Set<Expr> of(Expr root, Predicate<Along> fuses, Predicate<Expr> isThere) {
        LineReductions found = new LineReductions(fuses, isThere);
        Set<Expr> computed = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Expr> next = new ArrayDeque<>(List.of(root));
        while (!next.isEmpty()) {
            Expr node = next.pop();
            if (computed.add(node) && !isThere.test(node)) {
                next.addAll(found.readBy(node));
            }
        }
        found.ofLines.removeAll(computed);
        return found.ofLines;
    }

    /** What is computed before a node that is computed by itself. */
    private List<Expr> readBy(Expr node) {
        if (node instanceof Reduce || node instanceof Along along && fuses.test(along)) {
            return PointwiseProgram.of(node.children().get(0)).leaves();
        }
        if (!(node instanceof Pointwise)) {
            return node.children();
        }
        Optional<LineProgram> lines = LineProgram.of(node, isThere);
        lines.ifPresent(program -> ofLines.addAll(program.reductions()));
        return lines.map(LineProgram::leaves)
                .orElseGet(() -> PointwiseProgram.of(node).leaves());
    }
}
