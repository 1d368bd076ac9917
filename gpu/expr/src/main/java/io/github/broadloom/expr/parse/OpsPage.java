package io.github.broadloom.expr.parse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.DTypeRule;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.parse.Language.Chapter;
import io.github.broadloom.expr.parse.Language.Entry;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The documentation page of all operations, made from the table itself: Markdown. */
public final class OpsPage {
    private static final String HEAD = """
            # Operations

            Every operation is a method of local and distributed tensors (`x.floorDivide(y)`), a function and a method of string
            expressions (`floor_divide(x, y)`, `x.floor_divide(y)`) under each of its names, and works as PyTorch's of that name
            does. Arguments broadcast. In a string expression they may be given by keyword; those with a default may be left out,
            and are plain numbers. This page is made by `examples/run ops`.

            - **dtypes**: what the arguments may be after promotion. *floating, from any* means that bools and integers become
              float32.
            - **result**: the dtype of the result; *promoted* is what PyTorch's promotion gives.
            - **ulp**: how far a floating result may be from the exact one, in units of the last place; 0 is exact, and of
              a formula in several steps, such as addcmul's, that every step is rounded correctly. `examples/run accuracy` measures
              it.

            """;

    private OpsPage() {}

    public static String markdown() {
        StringBuilder page = new StringBuilder(HEAD);
        page.append("## Pointwise\n\n");
        line(page, "name", "other names", "arguments", "dtypes", "result", "ulp", "what it gives");
        line(page, "---", "---", "---", "---", "---", "---:", "---");
        Op.all().forEach(op -> row(page, op));
        page.append("\n"
                + "## Made of others\n\n"
                + "Their dtypes, results and errors follow from the operations that they are made of.\n\n");
        line(page, "name", "arguments", "what it gives");
        line(page, "---", "---", "---");
        of(Chapter.COMPOSED).forEach(row -> line(page, code(row.name()), code(row.signature()), row.gives()));
        page.append(
                "\n## Rearrangements\n\nOf any dtype, which stays. Numbers behind a `*` may stand in brackets, and so may tensors."
                        + " Besides, there are NumPy's `x[1:3, None, ..., 0]` and `x.T`.\n\n");
        line(page, "name", "other names", "arguments", "what it gives");
        line(page, "---", "---", "---", "---");
        of(Chapter.REARRANGEMENT)
                .forEach(row -> line(page, code(row.name()), codes(row.others()), code(row.signature()), row.gives()));
        page.append("\n"
                + "## Products\n\n"
                + "Of two operands with one dtype, which is the result's, and not bool. Each element has the same"
                + " bits, however the operands are cut.\n\n");
        line(page, "name", "arguments", "what it gives");
        line(page, "---", "---", "---");
        of(Chapter.PRODUCT).forEach(row -> line(page, code(row.name()), code(row.signature()), row.gives()));
        page.append(
                "\n"
                        + "## Elements by index\n\n"
                        + "Indices are integers, of this machine or computed; where they are not in range is told when they are"
                        + " looked at. Besides, there is `x[i]`, `x[i, :, j]` and, with a mask, whose values are computed at once, `x[x > 0]`.\n\n");
        line(page, "name", "arguments", "what it gives");
        line(page, "---", "---", "---");
        of(Chapter.PICKING).forEach(row -> line(page, code(row.name()), code(row.signature()), row.gives()));
        page.append("\n## Reductions\n\n");
        page.append("Where `dim` may be left out, that means all dimensions.\n\n");
        line(page, "name", "arguments", "dtypes", "result", "what it gives");
        line(page, "---", "---", "---", "---", "---");
        Functions.REDUCTIONS.all().forEach(row -> reduction(page, row));
        return page.toString();
    }

    private static Stream<Entry> of(Chapter chapter) {
        return Language.functions().stream().filter(row -> row.chapter() == chapter);
    }

    private static void row(StringBuilder page, Op op) {
        line(
                page,
                code(op.name()),
                codes(op.aliases()),
                code(Language.signature(op)),
                accepted(op),
                op.rule().result(),
                String.valueOf(op.ulp()),
                op.doc());
    }

    private static void reduction(StringBuilder page, FunctionTable.Row<ReductionCall> row) {
        line(
                page,
                code(row.name()),
                code(row.signature()),
                dtypes(dtype -> isAccepted(() -> reduced(row, dtype))),
                results(row),
                row.doc());
    }

    private static DType reduced(FunctionTable.Row<ReductionCall> row, DType dtype) {
        String first = row.arguments().contains("q") ? "0.5, " : row.arguments().contains("k") ? "1, " : "";
        String call = row.name() + "(x, " + first + "dim=0)";
        return ExprParser.parse(call, Map.of("x", Input.of(dtype, dtype, Shape.of(2))))
                .dtype();
    }

    private static String accepted(Op op) {
        String accepted = dtypes(dtype -> applies(op, dtype));
        boolean becomesFloating = applies(op, DType.INT32) && op.rule() != DTypeRule.TRUTH && !op.supports(DType.INT32);
        return becomesFloating ? "floating, from any" : accepted;
    }

    private static boolean applies(Op op, DType dtype) {
        Expr operand = Input.of(dtype, dtype, Shape.of(2));
        List<Expr> args = new ArrayList<>(Collections.nCopies(op.arity(), operand));
        if (op == Ops.WHERE) {
            args.set(0, Input.of("condition", DType.BOOL, Shape.of(2)));
        }
        return isAccepted(() -> Expr.apply(op, args.toArray(Expr[]::new)));
    }

    private static boolean isAccepted(Runnable builder) {
        try {
            builder.run();
            return true;
        } catch (IllegalArgumentException refused) {
            return false;
        }
    }

    /** The kinds of dtypes that are accepted, all of a kind or none. */
    private static String dtypes(Predicate<DType> accepts) {
        List<String> kinds = new ArrayList<>();
        if (accepts.test(DType.BOOL)) {
            kinds.add("bool");
        }
        if (accepts.test(DType.INT32)) {
            kinds.add("integer");
        }
        if (accepts.test(DType.FLOAT32)) {
            kinds.add("floating");
        }
        return kinds.size() == 3 ? "all" : String.join(", ", kinds);
    }

    private static String results(FunctionTable.Row<ReductionCall> row) {
        List<DType> accepted = Stream.of(DType.values())
                .filter(dtype -> isAccepted(() -> reduced(row, dtype)))
                .toList();
        if (accepted.stream().allMatch(dtype -> reduced(row, dtype) == dtype)) {
            return "the same";
        }
        if (reduced(row, DType.FLOAT64) != DType.FLOAT64) {
            return reduced(row, DType.FLOAT64).torchName();
        }
        return "the same, " + reduced(row, DType.INT32).torchName() + " of bools and integers";
    }

    private static String codes(List<String> texts) {
        return texts.stream().map(OpsPage::code).collect(Collectors.joining(", "));
    }

    private static String code(String text) {
        return "`" + text + "`";
    }

    private static void line(StringBuilder page, String... cells) {
        String row = Stream.of(cells).map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | "));
        page.append("| ").append(row).append(" |\n");
    }
}
