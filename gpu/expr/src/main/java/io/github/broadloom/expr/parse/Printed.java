package io.github.broadloom.expr.parse;

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
import io.github.broadloom.expr.Interpolation;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Search;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes an expression in the string language, with every parenthesis. */
public final class Printed implements Expr.Visitor<String> {
    private final Map<Expr, String> names;

    private Printed(Map<Expr, String> names) {
        this.names = names;
    }

    /** Over inputs named by their sources. */
    public static String of(Expr expr) {
        return of(expr, Map.of());
    }

    /** With names in the place of some nodes; over other inputs named by their sources. */
    public static String of(Expr expr, Map<Expr, String> names) {
        return new Printed(names).text(expr);
    }

    private String text(Expr expr) {
        String name = names.get(expr);
        return name != null ? name : expr.accept(this);
    }

    private List<String> texts(Expr node) {
        return node.children().stream().map(this::text).toList();
    }

    @Override
    public String input(Input input) {
        return input.source().toString();
    }

    /** As Python writes it; a negative one in parentheses, for {@code **} binds more tightly than its sign. */
    @Override
    public String literal(Literal literal) {
        String text = literal.value() instanceof Boolean bool ? python(bool) : literal.toString();
        text = text.replace("Infinity", "inf").replace("NaN", "nan");
        return text.startsWith("-") ? "(" + text + ")" : text;
    }

    private static String python(boolean value) {
        return value ? "True" : "False";
    }

    @Override
    public String apply(Apply apply) {
        return operation(apply.op(), texts(apply));
    }

    @Override
    public String cast(Cast cast) {
        return cast.dtype() + "(" + text(cast.operand()) + ")";
    }

    @Override
    public String reduce(Reduce reduce) {
        String text = reduction(reduce.reduction(), text(reduce.operand()), reduce.keepDim(), reduce.dims());
        boolean corrected = reduce.reduction().isDeviation() && reduce.correction() != 1;
        return corrected ? text.replaceFirst("\\)$", ", correction=" + reduce.correction() + ")") : text;
    }

    @Override
    public String concat(Concat concat) {
        return "cat((" + String.join(", ", texts(concat)) + ",), " + concat.dim() + ")";
    }

    @Override
    public String contraction(Contraction contraction) {
        return "einsum('" + equation(contraction) + "', " + String.join(", ", texts(contraction)) + ")";
    }

    /** Both operands have all dimensions; the result has those that are not contracted. */
    private static String equation(Contraction contraction) {
        StringBuilder all = new StringBuilder();
        StringBuilder kept = new StringBuilder();
        for (int dim = 0; dim < contraction.left().shape().rank(); dim++) {
            char letter = (char) (dim < 26 ? 'a' + dim : 'A' + dim - 26);
            all.append(letter);
            kept.append(contraction.contracts(dim) ? "" : letter);
        }
        return all + "," + all + "->" + kept;
    }

    @Override
    public String rearrange(Rearrange rearrange) {
        Expr operand = rearrange.operand();
        String moved = rearrange.viewOp().python(rearrange.shape());
        boolean ofBoth = operand instanceof Along along
                && givesBoth(along)
                && !along.op().kind().isIndices();
        boolean isRead = moved.startsWith("[") && ofBoth && !names.containsKey(operand); // as which of both
        return text(operand) + (isRead ? ".values" : "") + moved;
    }

    @Override
    public String grouped(Grouped grouped) {
        String name = grouped.function().kind().name().toLowerCase(Locale.ROOT);
        String q = grouped.function().kind() == Grouped.Kind.QUANTILE
                ? ", q=" + grouped.function().q()
                : "";
        return "groupby_reduce(" + text(grouped.operand()) + ", " + text(grouped.told()) + ", " + grouped.groups()
                + ", dim=" + grouped.dim() + ", func='" + name + "'" + q + ")";
    }

    /** Several indices as the one that they come to. */
    @Override
    public String gather(Gather gather) {
        Shape operand = gather.operand().shape();
        int count = gather.indices().size();
        String place = "0";
        for (int i = 0; i < count; i++) {
            long size = operand.size(gather.dim() + i);
            String index = text(gather.indices().get(i));
            String counted = gather.negative() == Gather.Negative.REFUSED
                    ? index
                    : "where(" + index + " < 0, " + index + " + " + size + ", " + index + ")";
            place = i == 0 ? counted : "(" + place + " * " + size + " + " + counted + ")";
        }
        String flat = count == 1 ? "" : ".flatten(" + gather.dim() + ", " + (gather.dim() + count - 1) + ")";
        return "take_along_dim(" + text(gather.operand()) + flat + ", " + place + ", dim=" + gather.dim() + ")";
    }

    @Override
    public String filter(Filter filter) {
        return text(filter.operand()) + "[" + text(filter.mask()) + "]";
    }

    @Override
    public String search(Search search) {
        String lines = text(search.lines());
        String values = text(search.values());
        return switch (search.question()) {
            case AMONG -> "isin(" + values + ", " + lines + ")";
            case LESS -> "searchsorted(" + lines + ", " + values + ")";
            case UP_TO -> "searchsorted(" + lines + ", " + values + ", right=True)";
        };
    }

    /** All values as one line where there is more than one dimension; a scan always names its dimension. */
    @Override
    public String along(Along along) {
        String operand = text(along.operand());
        LineOp op = along.op();
        int[] dims = along.dims();
        if (op.kind() == LineOp.Kind.NUCLEAR_NORM) { // of the last dimension, which two were
            return "norm(" + operand + ".unflatten(-1, (-1, " + (long) op.number() + ")), 'nuc', dim=(-2, -1))";
        }
        LineOp.Kind kind = op.kind();
        String q = kind.isQuantile() ? ", " + op.number() : kind.isRanked() && !kind.isSort() ? ", " + op.k() : "";
        boolean named = dims.length == 1 || kind.isScan() || kind.isRanked();
        String dim = named ? ", dim=" + (dims.length == 0 ? 0 : dims[0]) : "";
        String interpolation =
                op.interpolation() == Interpolation.LINEAR ? "" : ", interpolation='" + op.interpolation() + "'";
        return op.torchName() + "(" + operand + q + dim
                + (along.keepDim().keeps() && dims.length > 0 ? ", keepdim=True" : "") + interpolation + order(op) + ")"
                + (kind.isIndices() ? ".indices" : "");
    }

    /** Where it is not the one that is meant without a word. */
    private static String order(LineOp op) {
        if (op.order() == op.usualOrder()) {
            return "";
        }
        return op.kind().isSort() ? ", descending=True" : ", largest=False";
    }

    private static boolean givesBoth(Along along) {
        LineOp.Kind kind = along.op().kind();
        return kind.isRanked() || along.dims().length == 1 && kind.isMedian();
    }

    public static String reduction(Reduction reduction, String operand, KeepDim keepDim, int... dims) {
        String over = dims.length == 1 ? String.valueOf(dims[0]) : Arrays.toString(dims);
        return reduction + "(" + operand + (dims.length == 0 ? "" : ", dim=" + over)
                + (keepDim.keeps() ? ", keepdim=True)" : ")");
    }

    public static String operation(Op op, List<String> children) {
        Op.Sign sign = op.sign();
        if (sign != null) {
            return "(" + (op.arity() == 1 ? "" : children.get(0) + " ") + sign.text() + (op.arity() == 1 ? "" : " ")
                    + children.get(op.arity() - 1) + ")";
        }
        return op + "(" + String.join(", ", children) + ")";
    }
}
