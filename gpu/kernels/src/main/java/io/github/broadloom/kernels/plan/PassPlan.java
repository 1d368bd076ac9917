package io.github.broadloom.kernels.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Filter;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Search;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How an expression is evaluated: what no kernel computes together with what stands above it, from the bottom up; then the expression itself.
 * Evaluations, explanations and estimates read the same plan.
 *
 * @param passes in the order in which they run; the last leaves what was asked for
 */
public record PassPlan(List<Pass> passes) {

    /**
     * What a device does.
     *
     * @param fuses whether it computes the lines of a node together with what is pointwise below it, which else is computed before
     * @param inBlocks whether reductions of large results of reductions take a block of rows at a time
     * @param inLines whether a pointwise expression is computed together with reductions of its own lines, which else are computed before
     */
    public record Rules(Predicate<Along> fuses, boolean inBlocks, boolean inLines) {
        public static final Rules CPU = new Rules(along -> false, true);

        /** Those that compute every reduction before what reads it. */
        public Rules(Predicate<Along> fuses, boolean inBlocks) {
            this(fuses, inBlocks, false);
        }
    }

    /**
     * The plan of a simplified expression.
     *
     * @param isThere whether the value of a node need not be computed any more, as that of an input
     */
    public static PassPlan of(Expr root, Rules rules, Predicate<Expr> isThere) {
        return new Builder(root, rules, isThere).build(root instanceof Reduce reduce ? List.of(reduce) : List.of());
    }

    /** As {@link #of(Expr, Rules, Predicate)}, of reductions that share an operand. */
    public static PassPlan of(List<Reduce> sharing, Rules rules, Predicate<Expr> isThere) {
        return new Builder(sharing.get(0), rules, isThere).build(sharing);
    }

    public List<Pass> below() {
        return passes.subList(0, passes.size() - 1);
    }

    public Pass last() {
        return passes.get(passes.size() - 1);
    }

    private static final class Builder implements Expr.Visitor<List<Pass>> {
        private final Expr root;
        private final Rules rules;
        private final Predicate<Expr> isThere;
        private final Set<Expr> stored = Collections.newSetFromMap(new IdentityHashMap<>());
        private final List<Pass> passes = new ArrayList<>();
        private Map<Expr, RowBlocks> blocks = Map.of();
        private Map<Expr, List<Reduce>> sharing = Map.of();

        Builder(Expr root, Rules rules, Predicate<Expr> isThere) {
            this.root = root;
            this.rules = rules;
            this.isThere = isThere;
        }

        /** @param last the reductions at the root */
        PassPlan build(List<Reduce> last) {
            List<Expr> order = root.postOrder();
            blocks = rules.inBlocks() ? RowBlocks.of(order, isThere) : Map.of();
            Set<Expr> ofLines = rules.inLines() && order.stream().anyMatch(Reduce.class::isInstance)
                    ? LineReductions.of(root, rules.fuses(), isThere)
                    : Set.of();
            List<Expr> whole = RowBlocks.whole(root, order, blocks, isThere).stream()
                    .filter(node -> !ofLines.contains(node))
                    .toList();
            sharing = Reduce.byOperand(whole.stream()
                    .filter(node -> node != root && node instanceof Reduce)
                    .map(Reduce.class::cast)
                    .toList());
            for (Expr node : whole) {
                if (node == root && node instanceof Reduce) {
                    add(reduction(last));
                } else if (node == root || !isThere(node)) {
                    node.accept(this).forEach(this::add);
                }
            }
            return new PassPlan(List.copyOf(passes));
        }

        private Pass reduction(List<Reduce> reductions) {
            Expr operand = reductions.get(0).operand();
            return new Pass.Reduction(reductions, Optional.ofNullable(blocks.get(operand)));
        }

        @Override
        public List<Pass> reduce(Reduce reduce) {
            return List.of(reduction(sharing.getOrDefault(reduce.operand(), List.of(reduce))));
        }

        /** What lines are of is let go as soon as they are computed. */
        @Override
        public List<Pass> along(Along along) {
            Expr operand = along.operand();
            boolean isApart = !rules.fuses().test(along) && !isThere(operand);
            if (isApart) {
                store(operand);
            }
            Pass pass = along.op().kind().isScan() ? new Pass.Scan(along) : new Pass.Select(along);
            return isApart && along != root ? List.of(pass, new Pass.Release(operand)) : List.of(pass);
        }

        @Override
        public List<Pass> rearrange(Rearrange rearrange) {
            store(rearrange.operand());
            return List.of(new Pass.View(rearrange));
        }

        @Override
        public List<Pass> concat(Concat concat) {
            return List.of(new Pass.Join(concat));
        }

        @Override
        public List<Pass> contraction(Contraction contraction) {
            contraction.children().forEach(this::store);
            return List.of(new Pass.Product(contraction));
        }

        @Override
        public List<Pass> gather(Gather gather) {
            gather.children().forEach(this::store);
            return List.of(new Pass.Lookup(gather));
        }

        @Override
        public List<Pass> filter(Filter filter) {
            filter.children().forEach(this::store);
            return List.of(new Pass.Filtering(filter));
        }

        @Override
        public List<Pass> search(Search search) {
            search.children().forEach(this::store);
            return List.of(new Pass.Searching(search));
        }

        @Override
        public List<Pass> grouped(Grouped grouped) {
            grouped.children().forEach(this::store);
            return List.of(new Pass.Groups(grouped));
        }

        @Override
        public List<Pass> input(Input input) {
            return pointwise(input);
        }

        @Override
        public List<Pass> literal(Literal literal) {
            return pointwise(literal);
        }

        @Override
        public List<Pass> apply(Apply apply) {
            return pointwise(apply);
        }

        @Override
        public List<Pass> cast(Cast cast) {
            return pointwise(cast);
        }

        /** Whatever reads it computes it. */
        private List<Pass> pointwise(Expr node) {
            return node == root ? List.of(new Pass.Map(node)) : List.of();
        }

        private boolean isThere(Expr node) {
            return isThere.test(node) || stored.contains(node);
        }

        private void add(Pass pass) {
            passes.add(pass);
            stored.addAll(pass.results());
            if (pass instanceof Pass.Release end) {
                stored.remove(end.node());
            }
        }

        private void store(Expr operand) {
            if (!isThere(operand)) {
                add(new Pass.Map(operand));
            }
        }
    }
}
