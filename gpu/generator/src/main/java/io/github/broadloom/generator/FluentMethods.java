package io.github.broadloom.generator;

import io.github.broadloom.expr.ops.Op;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The methods that only name a row: {@code x.log1p()}, {@code x.log1p_()} and, of a row with a sign, Scala's operators. */
public final class FluentMethods {
    private static final String PACKAGE = "io.github.broadloom.expr.fluent";
    private static final Pattern WORD = Pattern.compile("_(.)");

    private static final String INTERFACE = """
            // Made from the rows by gpu/generator when the project is built.
            package io.github.broadloom.expr.fluent;

            import io.github.broadloom.expr.ops.Ops;
            import io.github.broadloom.tensor.TensorLike;

            /** %s */
            @SuppressWarnings("MemberName") // the names that Scala gives to operators
            public interface %s<%s> extends %s<T> {
            %s}
            """;

    private static final String METHOD = """
                /** %s */
                default T %s(%s) {
                    return %s(Ops.%s%s);
                }
            """;

    private static final String LEFT_OPERATORS = """
            // Made from the rows by gpu/generator when the project is built.
            package io.github.broadloom.expr.fluent;

            import io.github.broadloom.expr.BroadcastWarning;
            import io.github.broadloom.expr.Expr;
            import io.github.broadloom.expr.ops.Ops;

            /**
             * The operators of Scala for what stands on the left of another kind of tensor expression, and takes part in it: a plain number, or
             * what is local where the right side is distributed. The result is of the right side's kind.
             */
            @SuppressWarnings("MemberName") // the names that Scala gives to operators
            public interface LeftOperators {
                /** What stands on the left. */
                Expr expr();

            %s}
            """;

    private static final String LEFT_OPERATOR = """
                /** {@code left %s x}. */
                default <T extends TensorOps<T>> T %s(OpsBase<T> right) {
                    return right.withExpr(Expr.apply(Ops.%s, BroadcastWarning.checked(expr(), right.expr())));
                }
            """;

    private FluentMethods() {}

    public static void main(String... args) throws IOException {
        SourceFolder folder = SourceFolder.of(args);
        List<Op> rows = Op.all();
        write(
                folder,
                "PointwiseOps",
                "PointwiseBase",
                "The operations of {@link Ops}; part of {@link TensorOps}, and of what has names for dimensions.",
                rows.stream().flatMap(op -> methods(op, camelCase(op.name()), "apply", op.doc())));
        write(
                folder,
                "InPlacePointwiseOps",
                "InPlaceBase",
                "The operations of {@link Ops} that write over this handle; part of {@link InPlaceOps}.",
                rows.stream()
                        .filter(Op::isInPlace)
                        .flatMap(op -> methods(
                                op, camelCase(op.name()) + "_", "apply_", op.doc() + " Written over this handle.")));
        write(
                folder,
                "SignOperators",
                "PointwiseBase",
                "The signs of {@link Ops} as Scala's operators; part of {@link ScalaOperators}, and of what has names for dimensions.",
                ScalaSign.all()
                        .flatMap(sign -> methods(
                                sign.op(),
                                sign.method(),
                                "apply",
                                sign.usage() + ": " + sign.op().doc())));
        String left = ScalaSign.infix()
                .map(sign -> LEFT_OPERATOR.formatted(sign.text(), sign.method(), constant(sign.op())))
                .collect(Collectors.joining("\n"));
        folder.write(PACKAGE, "LeftOperators", LEFT_OPERATORS.formatted(left));
        folder.write(PACKAGE, "ReductionOps", ReductionMethods.source());
        folder.write(PACKAGE, "NamedReductionOps", ReductionMethods.named());
    }

    private static void write(SourceFolder folder, String name, String base, String doc, Stream<String> methods)
            throws IOException {
        String of = base.equals("PointwiseBase") ? "T" : "T extends TensorOps<T>";
        folder.write(
                PACKAGE, name, INTERFACE.formatted(doc, name, of, base, methods.collect(Collectors.joining("\n"))));
    }

    /** One for each overload of the row. */
    private static Stream<String> methods(Op op, String name, String applied, String doc) {
        List<String> operands = Stream.concat(
                        op.arguments().stream().skip(1),
                        op.parameters().stream().map(Op.Parameter::name))
                .map(FluentMethods::camelCase)
                .toList();
        return op.overloads().stream().map(kinds -> {
            List<String> given = operands.subList(0, kinds.length());
            String parameters = IntStream.range(0, given.size())
                    .mapToObj(i -> type(kinds.charAt(i)) + " " + given.get(i))
                    .collect(Collectors.joining(", "));
            String others = given.stream().map(", "::concat).collect(Collectors.joining());
            return METHOD.formatted(doc, name, parameters, applied, constant(op), others);
        });
    }

    private static String type(char kind) {
        return kind == 'T' ? "TensorLike" : "Number";
    }

    static String constant(Op op) {
        return op.name().toUpperCase(Locale.ROOT);
    }

    static String camelCase(String name) {
        return WORD.matcher(name).replaceAll(word -> word.group(1).toUpperCase(Locale.ROOT));
    }
}
