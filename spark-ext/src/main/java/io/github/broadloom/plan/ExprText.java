package io.github.broadloom.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Cast;
import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Move;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An expression as a line for people: infix, the sources by their names, what is deep left out, what is long cut off. The
 * bound on the length matters: a line may become the name of a source in the next one, more than once.
 */
public final class ExprText {
    private static final int DEEPEST = 6;

    private static final int LONGEST = 200;

    /** What a cached expression is called, as opposed to a name or a call. */
    private static final Pattern COMPOSED = Pattern.compile(" [-+*/%<>=!@]+ ");

    private static final Map<String, String> INFIX = Map.ofEntries(
            Map.entry("add", "+"),
            Map.entry("sub", "-"),
            Map.entry("mul", "*"),
            Map.entry("div", "/"),
            Map.entry("pow", "**"),
            Map.entry("remainder", "%"),
            Map.entry("floor_divide", "//"),
            Map.entry("lt", "<"),
            Map.entry("le", "<="),
            Map.entry("gt", ">"),
            Map.entry("ge", ">="),
            Map.entry("eq", "=="),
            Map.entry("ne", "!="));

    private ExprText() {}

    /** For instance {@code (x - m) / s}. */
    public static String of(Expr expr) {
        String text = text(expr, 0);
        boolean wrapped =
                text.startsWith("(") && (expr instanceof Contraction || expr instanceof Apply apply && isInfix(apply));
        String line = wrapped ? text.substring(1, text.length() - 1) : text;
        return line.length() > LONGEST ? line.substring(0, LONGEST - 1) + "…" : line;
    }

    private static String text(Expr expr, int depth) {
        if (expr instanceof Input input) {
            String name = input.source() instanceof Source source ? source.name() : String.valueOf(input.source());
            return depth > 0 && COMPOSED.matcher(name).find() ? "(" + name + ")" : name;
        }
        if (expr instanceof Literal literal) {
            return String.valueOf(literal.value());
        }
        if (depth == DEEPEST) {
            return "…";
        }
        String arguments = expr.children().stream()
                .map(child -> text(child, depth + 1))
                .collect(Collectors.joining(separator(expr)));
        if (expr instanceof Apply apply) {
            return isInfix(apply) ? "(" + arguments + ")" : apply.op().name() + "(" + arguments + ")";
        }
        if (expr instanceof Cast cast) {
            return cast.dtype() + "(" + arguments + ")";
        }
        if (expr instanceof Along along) {
            return along(along, arguments);
        }
        if (expr instanceof Rearrange rearrange) {
            return moved(rearrange, arguments);
        }
        if (expr instanceof Concat concat) {
            return "cat(" + arguments + ", dim=" + concat.dim() + ")";
        }
        if (expr instanceof Contraction contraction) {
            return product(contraction, depth)
                    .orElseGet(() -> "contract(" + arguments + over(contraction.dims(), contraction.left()) + ")");
        }
        return expr instanceof Reduce reduce ? reduction(reduce, arguments) : expr.toString();
    }

    private static String moved(Rearrange rearrange, String argument) {
        return argument + (isTransposed(rearrange) ? ".T" : "." + rearrange.move());
    }

    private static boolean isTransposed(Rearrange rearrange) {
        return rearrange.move() instanceof Move.Permute permute && Arrays.equals(permute.dims(), new int[] {1, 0});
    }

    /** A product of matrices as {@code a @ b}: the left one has got a dimension behind its own two, the right one before them. */
    private static Optional<String> product(Contraction contraction, int depth) {
        boolean matrices = Arrays.equals(contraction.dims(), new int[] {1})
                && contraction.left().shape().rank() == 3
                && isUnsqueezed(contraction.left(), 2)
                && isUnsqueezed(contraction.right(), 0);
        return matrices
                ? Optional.of("(" + text(contraction.left().children().get(0), depth + 1) + " @ "
                        + text(contraction.right().children().get(0), depth + 1) + ")")
                : Optional.empty();
    }

    private static boolean isUnsqueezed(Expr expr, int dim) {
        return expr instanceof Rearrange rearrange
                && rearrange.move() instanceof Move.Unsqueeze unsqueeze
                && unsqueeze.dim() == dim;
    }

    private static String reduction(Reduce reduce, String argument) {
        return reduce.reduction().toString().toLowerCase(Locale.ROOT) + "(" + argument
                + over(reduce.dims(), reduce.operand()) + (reduce.keepDim() ? ", keepdim" : "") + ")";
    }

    private static String along(Along along, String argument) {
        return along.op().torchName() + "(" + argument
                + (along.op().kind().isQuantile() ? ", " + along.op().number() : "")
                + over(along.dims(), along.operand()) + (along.keepDim() ? ", keepdim" : "") + ")"
                + (along.op().kind().isIndices() ? ".indices" : "");
    }

    /** The dimensions, where they are not all. */
    private static String over(int[] dims, Expr operand) {
        String listed = Arrays.stream(dims).mapToObj(Integer::toString).collect(Collectors.joining(", "));
        return dims.length == operand.shape().rank() ? "" : ", dim=(" + listed + ")";
    }

    private static String separator(Expr expr) {
        return expr instanceof Apply apply && isInfix(apply)
                ? " " + INFIX.get(apply.op().name()) + " "
                : ", ";
    }

    private static boolean isInfix(Apply apply) {
        return apply.op().arity() == 2 && INFIX.containsKey(apply.op().name());
    }
}
