package io.github.broadloom.expr.parse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.expr.Einsum;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Names;
import io.github.broadloom.expr.ViewOps;
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
    static final String EINSUM = "einsum";
    private static final Set<String> JOINS = new LinkedHashSet<>(List.of("cat", "stack", "concat", "concatenate"));
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

    static boolean isKnown(String name) {
        return AMBIGUOUS.containsKey(name) || reader(name) != null;
    }

    Expr call() {
        String name = function.text();
        Reader reader = reader(name);
        if (reader != null) {
            Supplier<Expr> builder = reader.read(this);
            return parser.build(function, builder);
        }
        String ambiguous = AMBIGUOUS.get(name);
        throw ambiguous != null
                ? tokens.error("Cannot tell which '" + name + "' is meant; " + ambiguous, function)
                : tokens.error(
                        "Cannot find function '" + name + "'; "
                                + Names.meant(name, names()).orElse("docs/ops.md lists all functions"),
                        function);
    }

    /** Reads the arguments of a call, and says how its expression is made. */
    private interface Reader {
        Supplier<Expr> read(ExprFunctions call);
    }

    /** Who reads calls of that name. */
    private static @Nullable Reader reader(String name) {
        FunctionTable.Row<ReductionCall> reduction = Functions.REDUCTIONS.find(name);
        if (reduction != null) {
            return call -> call.reduce(reduction);
        }
        if (ConversionCall.NAMES.contains(name)) {
            return ExprFunctions::convert;
        }
        FunctionTable.Row<ViewOpCall> viewOp = Functions.VIEW_OPS.find(name);
        if (viewOp != null) {
            return call -> call.move(viewOp);
        }
        if (JOINS.contains(name)) {
            return ExprFunctions::join;
        }
        if (name.equals(EINSUM)) {
            return ExprFunctions::einsum;
        }
        Optional<Op> operation = Op.findByAnyName(name);
        FunctionTable.Row<CallValues> product = Functions.PRODUCTS.find(name);
        FunctionTable.Row<CallValues> picking = product != null ? product : Functions.PICKING.find(name);
        FunctionTable.Row<CallValues> function = picking != null
                ? picking
                : Functions.COMPOSITIONS.find(operation.map(Op::name).orElse(name));
        if (function != null) {
            return call -> call.compose(function);
        }
        return operation
                .<Reader>map(op -> call -> call.apply(op))
                .or(() -> dtype(name).map(dtype -> call -> call.cast(dtype)))
                .orElse(null);
    }

    static Optional<DType> dtype(String name) {
        try {
            return name.equals(name.toLowerCase(Locale.ROOT)) ? Optional.of(DType.of(name)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Set<String> names() {
        Set<String> names = new LinkedHashSet<>(Ops.names());
        Functions.REDUCTIONS.all().forEach(row -> names.add(row.name()));
        Functions.COMPOSITIONS.all().forEach(row -> names.add(row.name()));
        Functions.VIEW_OPS.all().forEach(row -> names.add(row.name()));
        names.addAll(JOINS);
        Functions.PRODUCTS.all().forEach(row -> names.add(row.name()));
        Functions.PICKING.all().forEach(row -> names.add(row.name()));
        names.add(EINSUM);
        names.addAll(Ops.BY_ALIAS.keySet());
        for (DType dtype : DType.values()) {
            names.add(dtype.torchName());
        }
        return names;
    }

    private CallValues values(List<String> names, int required) {
        return CallValues.read(parser, function, open, receiver, names, required);
    }

    private Supplier<Expr> apply(Op op) {
        if (op == Ops.WHERE && receiver != null) {
            throw tokens.error("Cannot call where as a method; write where(condition, a, b)", function);
        }
        List<String> names = new ArrayList<>(op.arguments());
        op.parameters().forEach(parameter -> names.add(parameter.name()));
        CallValues call = values(names, op.arity());
        return () -> Expr.apply(op, BroadcastWarning.checked(call.of(op).toArray(Expr[]::new)));
    }

    private Supplier<Expr> cast(DType dtype) {
        Expr operand = values(List.of("input"), 1).expr(0);
        return () -> Expr.cast(operand, dtype);
    }

    private Supplier<Expr> compose(FunctionTable.Row<CallValues> row) {
        CallValues call = values(row.arguments(), row.required());
        return () -> row.builder().apply(call);
    }

    /** einsum("ij,jk->ik", a, b), and a.einsum("ij,jk->ik", b). */
    private Supplier<Expr> einsum() {
        Token equation = tokens.take();
        if (equation.kind() != Kind.TEXT) {
            throw tokens.error(
                    "Cannot call einsum: the equation is no text; write it in quotes, as in einsum('ij,jk->ik', a, b)",
                    equation);
        }
        List<Expr> operands = operands();
        if (tokens.peek().is(",")) {
            tokens.take();
        }
        operands.addAll(tokens.arguments(parser::expression, open, ")"));
        return () -> Einsum.of(equation.unquoted(), operands);
    }

    /** x.to(float32), cast(x, float32), x.to('cpu', float32, copy=True). */
    private Supplier<Expr> convert() {
        ConversionCall call = new ConversionCall(parser, function, first());
        rest(call::argument);
        return call::build;
    }

    /** sum(x), sum(x, 0), sum(x, dim=(0, 1), keepdim=True). */
    private Supplier<Expr> reduce(FunctionTable.Row<ReductionCall> row) {
        ReductionCall call = new ReductionCall(parser, function, row, first());
        rest(call::argument);
        call.readPart();
        return () -> row.builder().apply(call);
    }

    /** permute(x, 1, 0), x.reshape((2, -1)), flip(x, dims=[0]). */
    private Supplier<Expr> move(FunctionTable.Row<ViewOpCall> row) {
        ViewOpCall call = new ViewOpCall(parser, function, row, first());
        rest(call::argument);
        call.checkComplete();
        return () -> row.builder().apply(call);
    }

    /** cat((x, y), dim=0), stack([x, y], 1), and without brackets cat(x, y, 0): an integer that stands last is the dimension. */
    private Supplier<Expr> join() {
        List<Expr> operands = operands();
        List<Long> dims = new ArrayList<>();
        tokens.each(
                () -> {
                    String keyword = CallValues.keyword(tokens, function, List.of("tensors", "dim", "axis"));
                    Token token = tokens.peek();
                    if (keyword != null && !keyword.equals("tensors")) {
                        dims.add(parser.integer("the dimension of " + function.text()));
                    } else if (token.is("[") || token.is("(") && tokens.isTuple()) {
                        operands.addAll(tokens.oneOrSeveral(parser::expression));
                    } else {
                        operands.add(parser.expression());
                    }
                },
                open,
                ")");
        int last = operands.size() - 1;
        if (dims.isEmpty()
                && last > 0
                && operands.get(last) instanceof Literal literal
                && literal.value() instanceof Long value) {
            dims.add(value);
            operands.remove(last);
        }
        int dim = dims.isEmpty() ? 0 : ViewOpCall.clamped(dims.get(dims.size() - 1));
        return () -> function.isName("stack") ? ViewOps.stack(operands, dim) : Expr.concat(operands, dim);
    }

    /** What a method is called on, for others to come behind it. */
    private List<Expr> operands() {
        return receiver == null ? new ArrayList<>() : new ArrayList<>(List.of(receiver));
    }

    private Expr first() {
        if (receiver != null) {
            return receiver;
        }
        if (tokens.peek().is(")")) {
            throw tokens.error("Cannot call " + function.text() + ": 0 arguments given; it takes at least 1", function);
        }
        return parser.expression();
    }

    /** The arguments behind the first one. */
    private void rest(Runnable argument) {
        if (receiver == null) {
            if (!tokens.peek().is(",")) {
                tokens.close(open, ")");
                return;
            }
            tokens.take();
        }
        tokens.each(argument, open, ")");
    }
}
