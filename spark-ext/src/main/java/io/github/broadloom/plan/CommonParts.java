package io.github.broadloom.plan;

import io.github.broadloom.device.Work;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Graphs;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Rearrange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * What several outputs of a stage have in common: computed once where that takes more than to write it to memory and read it again, which plain arithmetic does not. Whoever runs,
 * explains or estimates a stage asks here, and so sees the same parts.
 */
public final class CommonParts {
    /** For each element, about those of a function such as exp. */
    private static final double LEAST_OPERATIONS = 8;

    private CommonParts() {}

    /**
     * The outputs over values of what they have in common: those of a stage of another kind than {@code CHUNKS} as they are, as it computes them its own way.
     *
     * @param outputs in which equal parts are one node
     * @param value of a part, which is over the values of those before it
     */
    public static List<Expr> computed(Stage.Kind kind, List<Expr> outputs, Function<Expr, Input> value) {
        if (kind != Stage.Kind.CHUNKS || outputs.size() == 1) {
            return outputs;
        }
        Map<Expr, Expr> known = new IdentityHashMap<>();
        for (Expr part : of(outputs)) {
            known.put(part, value.apply(part.replace(known)));
        }
        return Graphs.rewrite(outputs, (node, over) -> known.getOrDefault(node, over));
    }

    /** The dear parts, those below others first. */
    private static List<Expr> of(List<Expr> outputs) {
        Map<Expr, Integer> uses = new IdentityHashMap<>();
        outputs.forEach(output -> output.postOrder().forEach(node -> uses.merge(node, 1, Integer::sum)));
        Set<Expr> reached = Collections.newSetFromMap(new IdentityHashMap<>()); // not only inside of larger parts
        reached.addAll(outputs);
        List<Expr> order = Graphs.postOrder(outputs);
        List<Expr> parts = new ArrayList<>();
        for (int i = order.size() - 1; i >= 0; i--) {
            Expr node = order.get(i);
            int own = uses.getOrDefault(node, 0);
            boolean isPart = reached.contains(node) && own > 1 && isDear(node);
            if (isPart) {
                parts.add(node);
            }
            for (Expr child : node.children()) {
                if (isPart ? uses.getOrDefault(child, 0) > own : reached.contains(node)) {
                    reached.add(child);
                }
            }
        }
        Collections.reverse(parts);
        return parts;
    }

    /** A view is none: what it is of may be. */
    private static boolean isDear(Expr node) {
        return !(node instanceof Rearrange)
                && Work.of(node).operations()
                        >= LEAST_OPERATIONS * Math.max(1, node.shape().numel());
    }
}
