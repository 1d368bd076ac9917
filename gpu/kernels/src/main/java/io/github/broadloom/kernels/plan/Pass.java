package io.github.broadloom.kernels.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Filter;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Search;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** One step of a {@link PassPlan}: it goes over values that are there, and leaves those of some nodes. */
public sealed interface Pass {
    /** The nodes whose values are there afterwards. */
    List<? extends Expr> results();

    /** What is computed, for people: the results and what they are of. */
    String title();

    /** A pass that leaves the value of one node. */
    sealed interface Single extends Pass {
        Expr node();

        @Override
        default List<Expr> results() {
            return List.of(node());
        }

        @Override
        default String title() {
            return node() + " of " + node().children().stream().map(Pass::type).collect(Collectors.joining(" and "));
        }
    }

    /** The values of a pointwise expression, or a copy of what is there. */
    record Map(Expr node) implements Single {
        @Override
        public String title() {
            return "pointwise " + type(node);
        }
    }

    /**
     * Reductions of one operand, with what is pointwise below them.
     *
     * @param blocks the rows of the operand that are computed at a time, where that is not all of them
     */
    record Reduction(List<Reduce> results, Optional<RowBlocks> blocks) implements Pass {
        public Expr operand() {
            return results.get(0).operand();
        }

        @Override
        public String title() {
            return results.stream().map(Reduce::toString).collect(Collectors.joining(" and ")) + " of "
                    + type(operand());
        }
    }

    /** A running sum, or its like, along lines. */
    record Scan(Along node) implements Single {}

    /** What takes whole lines at a time: order statistics. */
    record Select(Along node) implements Single {}

    record Product(Contraction node) implements Single {}

    /** Elements at places that are looked up. */
    record Lookup(Gather node) implements Single {}

    /** Rows where a mask is true. */
    record Filtering(Filter node) implements Single {}

    /** Where values belong in sorted lines. */
    record Searching(Search node) implements Single {}

    /** Reductions of groups of indices, line by line. */
    record Groups(Grouped node) implements Single {}

    /** Elements at other places: a view, or a copy where there is none. */
    record View(Rearrange node) implements Single {
        @Override
        public String title() {
            return node.viewOp() + " of " + type(node.operand());
        }
    }

    /** Parts one behind the other, each with what is pointwise below it, computed into its place. */
    record Join(Concat node) implements Single {
        @Override
        public String title() {
            return node + " of " + type(node);
        }
    }

    /** The end of a value that no later pass reads. All others stay until the evaluation ends. */
    record Release(Expr node) implements Pass {
        @Override
        public List<Expr> results() {
            return List.of();
        }

        @Override
        public String title() {
            return "end of " + type(node);
        }
    }

    /** The dtype and shape of a node, for people. */
    static String type(Expr node) {
        return node.dtype() + "" + node.shape();
    }
}
