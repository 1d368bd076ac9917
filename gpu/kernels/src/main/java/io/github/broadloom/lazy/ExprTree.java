package io.github.broadloom.lazy;

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
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Prints an expression as an indented tree, a line per node with its dtype and shape; shared nodes once, and what is deep not at all. */
final class ExprTree implements Expr.Visitor<String> {
    /** The indent grows with the depth, so that the text of a long chain would grow with its square. */
    private static final int DEEPEST = 100;

    private record Entry(Expr node, int depth) {}

    private ExprTree() {}

    static String print(Expr root) {
        Map<Expr, Integer> numbers = new IdentityHashMap<>();
        Map<Expr, Integer> uses = new IdentityHashMap<>();
        for (Expr node : root.postOrder()) {
            node.children().forEach(child -> uses.merge(child, 1, Integer::sum));
        }
        StringBuilder out = new StringBuilder();
        Deque<Entry> stack = new ArrayDeque<>();
        stack.push(new Entry(root, 0));
        while (!stack.isEmpty()) {
            Entry entry = stack.pop();
            out.append("  ".repeat(entry.depth()));
            if (entry.depth() == DEEPEST) {
                out.append("…\n");
                continue;
            }
            Integer seen = numbers.get(entry.node());
            if (seen != null) {
                out.append('#').append(seen).append('\n');
                continue;
            }
            out.append(entry.node().accept(new ExprTree()));
            boolean shared = uses.getOrDefault(entry.node(), 0) > 1 && !(entry.node() instanceof Literal);
            if (shared) {
                numbers.put(entry.node(), numbers.size() + 1);
                out.append(" #").append(numbers.size());
            }
            out.append('\n');
            List<Expr> children = entry.node().children();
            for (int i = children.size() - 1; i >= 0; i--) {
                stack.push(new Entry(children.get(i), entry.depth() + 1));
            }
        }
        return out.toString();
    }

    private static String typed(Object what, Expr node) {
        return what + " " + node.dtype() + node.shape();
    }

    private static String typed(String what, int[] dims, Expr node) {
        return typed(what + Arrays.toString(dims), node);
    }

    @Override
    public String input(Input input) {
        return typed("input", input);
    }

    @Override
    public String literal(Literal literal) {
        return literal.value().toString();
    }

    @Override
    public String apply(Apply apply) {
        return typed(apply.op(), apply);
    }

    @Override
    public String cast(Cast cast) {
        return typed("cast", cast);
    }

    @Override
    public String reduce(Reduce reduce) {
        return typed(reduce.reduction() + " over ", reduce.dims(), reduce);
    }

    @Override
    public String along(Along along) {
        return typed(along.op() + " along ", along.dims(), along);
    }

    @Override
    public String rearrange(Rearrange rearrange) {
        return typed(rearrange.viewOp(), rearrange);
    }

    @Override
    public String concat(Concat concat) {
        return typed("cat along " + concat.dim(), concat);
    }

    @Override
    public String contraction(Contraction contraction) {
        return typed("contract over ", contraction.dims(), contraction);
    }

    @Override
    public String grouped(Grouped grouped) {
        return typed(grouped.toString(), grouped);
    }

    @Override
    public String filter(Filter filter) {
        return typed(filter, filter);
    }

    @Override
    public String search(Search search) {
        return typed(search, search);
    }

    @Override
    public String gather(Gather gather) {
        return typed("gather along " + gather.dim(), gather);
    }
}
