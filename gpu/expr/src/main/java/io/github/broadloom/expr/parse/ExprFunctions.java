package io.github.broadloom.expr.parse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.expr.Einsum;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Names;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.parse.ExprLexer.Kind;
import io.github.broadloom.expr.parse.ExprLexer.Token;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call in a string expression: {@link ExprParser} has read the function's name and the opening parenthesis. */
final class ExprFunctions {
    private static final String EINSUM = "einsum";

    private static final Map<String, String> AMBIGUOUS = Map.of(
            "max", "write maximum(a, b) for two tensors, or amax(x, dim)",
            "min", "write minimum(a, b) for two tensors, or amin(x, dim)");

    private final ExprParser parser;
    private final TokenCursor tokens;
    private final Token function;
    private final Token open;
    private final @Nullable Expr receiver;

    ExprFunctions(ExprParser parser, Token function, @Nullable Expr receiver) {
        this.parser = parser;
        this.tokens = parser.tokens();
        this.function = function;
        this.open =
                new Token(Kind.OPERATOR, "(", function.start() + function.text().length(), null);
        this.receiver = receiver;
    }

    /** Whether a call of that name means something. */
    static boolean isKnown(String name) {
        return Op.findByAnyName(name).isPresent()
                || Composition.find(name) != null
                || ReductionFunction.find(name) != null
                || ViewOpFunction.find(name) != null
                || JoinCall.NAMES.contains(name)
                || ProductFunction.find(name) != null
                || name.equals(EINSUM)
                || ConversionCall.NAMES.contains(name)
                || AMBIGUOUS.containsKey(name)
                || dtype(name).isPresent();
    }

    Expr call() {
        String name = function.text();
        ReductionFunction reduction = ReductionFunction.find(name);
        if (reduction != null) {
            return reduce(reduction);
        }
        if (ConversionCall.NAMES.contains(name)) {
            return convert();
        }
        ViewOpFunction move = ViewOpFunction.find(name);
        if (move != null) {
            return move(move);
        }
        if (JoinCall.NAMES.contains(name)) {
            return join();
        }
        ProductFunction product = ProductFunction.find(name);
        if (product != null) {
            return multiply(product);
        }
        if (name.equals(EINSUM)) {
            return einsum();
        }
        Composition composition = Composition.find(name);
        if (composition != null) {
            return compose(composition);
        }
        Optional<Op> operation = Op.findByAnyName(name);
        if (operation.isPresent()) {
            return apply(operation.get());
        }
        Optional<DType> dtype = dtype(name);
        if (dtype.isPresent()) {
            Expr operand = CallValues.read(parser, function, open, receiver, List.of("input"), 1)
                    .expr(0);
            return tokens.build(function, () -> Expr.cast(operand, dtype.get()));
        }
        String ambiguous = AMBIGUOUS.get(name);
        if (ambiguous != null) {
            throw tokens.error("Cannot tell which '" + name + "' is meant; " + ambiguous, function);
        }
        throw tokens.error(
                "Cannot find function '" + name + "'; "
                        + Names.meant(name, names()).orElse("docs/ops.md lists all functions"),
                function);
    }

    /** The dtype of that name. */
    static Optional<DType> dtype(String name) {
        try {
            return name.equals(name.toLowerCase(Locale.ROOT)) ? Optional.of(DType.of(name)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Set<String> names() {
        Set<String> names = new LinkedHashSet<>(Ops.names());
        ReductionFunction.all().forEach(reduction -> names.add(reduction.name()));
        Composition.all().forEach(composition -> names.add(composition.name()));
        ViewOpFunction.all().forEach(move -> names.add(move.name()));
        names.addAll(JoinCall.NAMES);
        ProductFunction.all().forEach(product -> names.add(product.name()));
        names.add(EINSUM);
        names.addAll(Ops.BY_ALIAS.keySet());
        for (DType dtype : DType.values()) {
            names.add(dtype.torchName());
        }
        return names;
    }

    private Expr apply(Op op) {
        if (op == Ops.WHERE && receiver != null) {
            throw tokens.error("Cannot call where as a method; write where(condition, a, b)", function);
        }
        List<String> names = new ArrayList<>(op.arguments());
        op.parameters().forEach(parameter -> names.add(parameter.name()));
        CallValues call = CallValues.read(parser, function, open, receiver, names, op.arity());
        return tokens.build(
                function,
                () -> Expr.apply(op, BroadcastWarning.checked(call.of(op).toArray(Expr[]::new))));
    }

    private Expr compose(Composition composition) {
        CallValues call =
                CallValues.read(parser, function, open, receiver, composition.arguments(), composition.required());
        return tokens.build(function, () -> composition.builder().apply(call));
    }

    private Expr multiply(ProductFunction product) {
        CallValues call = CallValues.read(parser, function, open, receiver, product.arguments(), 2);
        return tokens.build(function, () -> product.builder().apply(call.expr(0), call.expr(1)));
    }

    /** einsum("ij,jk->ik", a, b), and a.einsum("ij,jk->ik", b). */
    private Expr einsum() {
        Token equation = tokens.take();
        if (equation.kind() != Kind.TEXT) {
            throw tokens.error(
                    "Cannot call einsum: the equation is no text; write it in quotes, as in einsum('ij,jk->ik', a, b)",
                    equation);
        }
        List<Expr> operands = new ArrayList<>();
        if (receiver != null) {
            operands.add(receiver);
        }
        if (tokens.peek().is(",")) {
            tokens.take();
        }
        operands.addAll(tokens.arguments(parser::expression, open, ")"));
        String text = equation.text().substring(1, equation.text().length() - 1);
        return tokens.build(function, () -> Einsum.of(text, operands));
    }

    private ExprSyntaxException wrongCount(int given, String wanted) {
        return tokens.error(
                "Cannot call " + function.text() + ": " + given + (given == 1 ? " argument" : " arguments")
                        + " given; it takes " + wanted,
                function);
    }

    /** x.to(float32), cast(x, float32), x.to('cpu', float32, copy=True). */
    private Expr convert() {
        Expr operand = first();
        ConversionCall call = new ConversionCall(parser, function);
        rest(() -> {
            call.argument();
            return call;
        });
        return tokens.build(function, () -> call.build(operand));
    }

    /** sum(x), sum(x, 0), sum(x, dim=(0, 1), keepdim=True). */
    private Expr reduce(ReductionFunction reduction) {
        ReductionCall call = new ReductionCall(parser, function, reduction);
        ReductionValues values = call.values(first());
        int[] position = {0};
        rest(() -> position[0] += call.argument(values, position[0]) ? 1 : 0);
        return tokens.build(function, () -> reduction.builder().apply(values));
    }

    /** permute(x, 1, 0), x.reshape((2, -1)), flip(x, dims=[0]). */
    private Expr move(ViewOpFunction move) {
        ViewOpCall call = new ViewOpCall(parser, function, move, first());
        rest(() -> {
            call.argument();
            return move;
        });
        call.checkComplete();
        return tokens.build(function, () -> move.builder().apply(call));
    }

    /** cat((x, y), 0), cat(x, y, dim=0), stack([x, y]). */
    private Expr join() {
        JoinCall call = new JoinCall(parser, function, receiver);
        tokens.arguments(
                () -> {
                    call.argument();
                    return call;
                },
                open,
                ")");
        return tokens.build(function, call::build);
    }

    private Expr first() {
        if (receiver != null) {
            return receiver;
        }
        if (tokens.peek().is(")")) {
            throw wrongCount(0, "at least 1");
        }
        return parser.expression();
    }

    /** The arguments behind the first one. */
    private <A> List<A> rest(Supplier<A> argument) {
        if (receiver == null) {
            if (!tokens.peek().is(",")) {
                tokens.close(open, ")");
                return List.of();
            }
            tokens.take();
        }
        return tokens.arguments(argument, open, ")");
    }
}
