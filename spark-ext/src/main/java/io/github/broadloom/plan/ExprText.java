package io.github.broadloom.plan;

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
import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.expr.ops.LineOp;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An expression as a line for people: infix, the sources by their names, what is deep left out, what is long cut off. The
 * bound on the length matters: a line may become the name of a source in the next one, more than once.
 */
public final class ExprText implements Expr.Visitor<String> {
    private static final int DEEPEST = 6;
    private static final int LONGEST = 200;

    /** What a cached expression is called, as opposed to a name or a call. */
    private static final Pattern COMPOSED = Pattern.compile(" [-+*/%<>=!@&|^]+ ");

    private final int depth;

    private ExprText(int depth) {
        this.depth = depth;
    }

    /** For instance {@code (x - m) / s}. */
    public static String of(Expr expr) {
        String text = expr.accept(new ExprText(0));
        boolean wrapped = text.startsWith("(")
                && (expr instanceof Contraction
                        || expr instanceof Apply apply && apply.op().infix().isPresent());
        String line = wrapped ? text.substring(1, text.length() - 1) : text;
        return line.length() > LONGEST ? line.substring(0, LONGEST - 1) + "…" : line;
    }

    private String child(Expr child) {
        boolean deep = depth + 1 == DEEPEST && !(child instanceof Input || child instanceof Literal);
        return deep ? "…" : child.accept(new ExprText(depth + 1));
    }

    private String joined(Expr node, String separator) {
        return node.children().stream().map(this::child).collect(Collectors.joining(separator));
    }

    @Override
    public String input(Input input) {
        String name = input.source() instanceof Source source ? source.name() : String.valueOf(input.source());
        return depth > 0 && COMPOSED.matcher(name).find() ? "(" + name + ")" : name;
    }

    @Override
    public String literal(Literal literal) {
        return String.valueOf(literal.value());
    }

    @Override
    public String apply(Apply apply) {
        return apply.op()
                .infix()
                .map(sign -> "(" + joined(apply, " " + sign + " ") + ")")
                .orElseGet(() -> apply.op().name() + "(" + joined(apply, ", ") + ")");
    }

    @Override
    public String cast(Cast cast) {
        return cast.dtype() + "(" + child(cast.operand()) + ")";
    }

    @Override
    public String rearrange(Rearrange rearrange) {
        return child(rearrange.operand()) + (isTransposed(rearrange) ? ".T" : "." + rearrange.viewOp());
    }

    @Override
    public String concat(Concat concat) {
        return "cat(" + joined(concat, ", ") + ", dim=" + concat.dim() + ")";
    }

    @Override
    public String contraction(Contraction contraction) {
        return isMatrixProduct(contraction)
                ? "(" + factor(contraction.left()) + " @ " + factor(contraction.right()) + ")"
                : "contract(" + joined(contraction, ", ") + over(contraction.dims(), contraction.left()) + ")";
    }

    @Override
    public String grouped(Grouped grouped) {
        String by = grouped.by() == Grouped.By.ENDS ? " by segments of " : " by ";
        return grouped.function().kind().name().toLowerCase(Locale.ROOT) + "(" + child(grouped.operand()) + by
                + child(grouped.told()) + ", dim=" + grouped.dim() + ")";
    }

    @Override
    public String filter(Filter filter) {
        return child(filter.operand()) + "[" + child(filter.mask()) + "]";
    }

    @Override
    public String search(Search search) {
        return search + "(" + joined(search, ", ") + ")";
    }

    @Override
    public String gather(Gather gather) {
        String indices = gather.indices().stream().map(this::child).collect(Collectors.joining(", "));
        return "gather(" + child(gather.operand()) + ", " + indices + ", dim=" + gather.dim() + ")";
    }

    private static boolean isTransposed(Rearrange rearrange) {
        return rearrange.viewOp() instanceof ViewOp.Permute permute && Arrays.equals(permute.dims(), new int[] {1, 0});
    }

    /** Whether it stands for {@code a @ b}: the left one has got a dimension behind its own two, the right one before them. */
    private static boolean isMatrixProduct(Contraction contraction) {
        return Arrays.equals(contraction.dims(), new int[] {1})
                && contraction.left().shape().rank() == 3
                && isUnsqueezed(contraction.left(), 2)
                && isUnsqueezed(contraction.right(), 0);
    }

    private String factor(Expr unsqueezed) {
        return child(unsqueezed.children().get(0));
    }

    private static boolean isUnsqueezed(Expr expr, int dim) {
        return expr instanceof Rearrange rearrange
                && rearrange.viewOp() instanceof ViewOp.Unsqueeze unsqueeze
                && unsqueeze.dim() == dim;
    }

    @Override
    public String reduce(Reduce reduce) {
        return reduce.reduction().toString().toLowerCase(Locale.ROOT) + "(" + child(reduce.operand())
                + over(reduce.dims(), reduce.operand()) + (reduce.keepDim().keeps() ? ", keepdim" : "") + ")";
    }

    @Override
    public String along(Along along) {
        return along.op().torchName() + "(" + child(along.operand())
                + number(along.op())
                + over(along.dims(), along.operand())
                + (along.keepDim().keeps() && !along.op().leavesLine() ? ", keepdim" : "")
                + (along.op().order() == along.op().usualOrder()
                        ? ""
                        : ", " + along.op().order()) + ")"
                + (along.op().kind().isIndices() ? ".indices" : "");
    }

    private static String number(LineOp op) {
        if (op.kind().isQuantile()) {
            return ", " + op.number();
        }
        return op.kind().isRanked() && !op.kind().isSort() ? ", " + op.k() : "";
    }

    /** The dimensions, where they are not all. */
    private static String over(int[] dims, Expr operand) {
        String listed = Arrays.stream(dims).mapToObj(Integer::toString).collect(Collectors.joining(", "));
        return dims.length == operand.shape().rank() ? "" : ", dim=(" + listed + ")";
    }
}
