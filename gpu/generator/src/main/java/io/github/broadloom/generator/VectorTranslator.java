package io.github.broadloom.generator;

import com.sun.source.tree.ArrayTypeTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.SimpleTreeVisitor;
import io.github.broadloom.generator.Value.Form;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Translates expressions of one number into those of a vector, in the body of a loop. Methods of the definitions are translated where they are called. */
final class VectorTranslator extends SimpleTreeVisitor<Value, VectorTranslator.Scope> {
    /** Where names stand for something: in a function of a definition, or in a method that it calls. */
    record Scope(Definition definition, Map<String, Value> values, boolean isFunction) {}

    private record Operator(String symbol, String call) {}

    private static final Map<Tree.Kind, Operator> OPERATORS = Map.of(
            Tree.Kind.PLUS, new Operator("+", "add("),
            Tree.Kind.MINUS, new Operator("-", "sub("),
            Tree.Kind.MULTIPLY, new Operator("*", "mul("),
            Tree.Kind.DIVIDE, new Operator("/", "div("),
            Tree.Kind.AND, new Operator("&", "and("),
            Tree.Kind.OR, new Operator("|", "or("),
            Tree.Kind.XOR, new Operator("^", "lanewise(XOR, "));
    private static final Map<Tree.Kind, String> SHIFTS = Map.of(
            Tree.Kind.LEFT_SHIFT, "LSHL",
            Tree.Kind.RIGHT_SHIFT, "ASHR",
            Tree.Kind.UNSIGNED_RIGHT_SHIFT, "LSHR");
    private static final Map<Tree.Kind, String> COMPARISONS = Map.of(
            Tree.Kind.LESS_THAN, "LT",
            Tree.Kind.LESS_THAN_EQUAL, "LE",
            Tree.Kind.GREATER_THAN, "GT",
            Tree.Kind.GREATER_THAN_EQUAL, "GE",
            Tree.Kind.EQUAL_TO, "EQ",
            Tree.Kind.NOT_EQUAL_TO, "NE");

    private final Map<String, Definition> definitions;
    private final Scope function;
    private VectorLoop loop = VectorLoop.longOf(new HashMap<>());

    /** Of the functions of a definition, which may call methods of others. */
    VectorTranslator(Map<String, Definition> definitions, Definition definition) {
        this.definitions = definitions;
        this.function = new Scope(definition, Map.of(), true);
    }

    /** What an expression in a function is in a loop. */
    Value value(Tree tree, VectorLoop loop) {
        this.loop = loop;
        return visit(tree, function);
    }

    private static <K, V> V found(Map<K, V> map, @Nullable K key) {
        V value = map.get(key);
        if (value == null) {
            throw new IllegalArgumentException("Cannot find " + key + " in " + map.keySet());
        }
        return value;
    }

    @Override
    protected Value defaultAction(Tree tree, Scope scope) {
        throw new IllegalArgumentException("Cannot translate " + tree + " of " + scope.definition.name());
    }

    @Override
    public Value visitParenthesized(ParenthesizedTree tree, Scope scope) {
        return visit(tree.getExpression(), scope);
    }

    @Override
    public Value visitLiteral(LiteralTree tree, Scope scope) {
        return new Value(tree.toString(), Lane.of(tree.getKind().name().replace("_LITERAL", "")), Form.CONSTANT);
    }

    /** Constants of Float and Integer. */
    @Override
    public Value visitMemberSelect(MemberSelectTree tree, Scope scope) {
        boolean isInt = tree.getExpression().toString().equals("Integer");
        return new Value(tree.toString(), isInt ? Lane.INT : Lane.FLOAT, Form.CONSTANT);
    }

    @Override
    public Value visitIdentifier(IdentifierTree tree, Scope scope) {
        String name = tree.getName().toString();
        Value value = scope.isFunction ? loop.variable(name).orElse(null) : scope.values.get(name);
        if (value != null) {
            return value;
        }
        boolean isOwn = scope.definition.constants().containsKey(name);
        Definition owner = isOwn ? scope.definition : imported(name, scope);
        return new Value(
                owner.name() + "." + name,
                Lane.of(found(owner.constants(), name).getType()),
                Form.CONSTANT);
    }

    private Definition imported(String name, Scope scope) {
        return found(definitions, found(scope.definition.imports(), name));
    }

    @Override
    public Value visitTypeCast(TypeCastTree tree, Scope scope) {
        return loop.converted(visit(tree.getExpression(), scope), Lane.of(tree.getType()));
    }

    /** A negative number. */
    @Override
    public Value visitUnary(UnaryTree tree, Scope scope) {
        Value value = visit(tree.getExpression(), scope);
        return value.form() == Form.CONSTANT
                ? new Value("-" + value.text(), value.lane(), Form.CONSTANT)
                : call(value, value.lane(), "neg()");
    }

    @Override
    public Value visitBinary(BinaryTree tree, Scope scope) {
        Value left = visit(tree.getLeftOperand(), scope);
        Value right = visit(tree.getRightOperand(), scope);
        Tree.Kind kind = tree.getKind();
        if (SHIFTS.containsKey(kind)) {
            return call(left, left.lane(), "lanewise(" + SHIFTS.get(kind) + ", " + right.text() + ")");
        }
        Lane lane = left.lane().with(right.lane());
        if (COMPARISONS.containsKey(kind)) {
            String call = "compare(" + COMPARISONS.get(kind) + ", " + loop.vector(right, lane) + ")";
            return new Value(loop.vector(left, lane) + "." + call, lane, Form.MASK);
        }
        Operator operator = found(OPERATORS, kind);
        return left.form() == Form.CONSTANT && right.form() == Form.CONSTANT
                ? new Value("(" + left.text() + " " + operator.symbol + " " + right.text() + ")", lane, Form.CONSTANT)
                : call(left, lane, operator.call + loop.vector(right, lane) + ")");
    }

    private Value call(Value value, Lane lane, String call) {
        return new Value(loop.vector(value, lane) + "." + call, lane, Form.VECTOR);
    }

    /** Without a mask where a truth chooses of vectors: those are vectors of bytes until JDK 18. */
    @Override
    public Value visitConditionalExpression(ConditionalExpressionTree tree, Scope scope) {
        Value condition = visit(tree.getCondition(), scope);
        Value then = visit(tree.getTrueExpression(), scope);
        Value otherwise = visit(tree.getFalseExpression(), scope);
        Lane lane = then.lane().with(otherwise.lane());
        if (condition.form() == Form.MASK) {
            String cast = condition.lane() == lane ? "" : ".cast(" + loop.species(lane) + ")";
            return call(otherwise, lane, "blend(" + loop.vector(then, lane) + ", " + condition.text() + cast + ")");
        }
        if (then.form() == Form.CONSTANT) {
            String isFalse = condition.text() + ".compare(EQ, 0)";
            return call(then, lane, "blend(" + loop.vector(otherwise, lane) + ", " + isFalse + ")");
        }
        String chosen = "VectorWords.chosen(%s, %s, %s)".formatted(condition.text(), then.text(), otherwise.text());
        return new Value(chosen, lane, Form.VECTOR);
    }

    @Override
    public Value visitMethodInvocation(MethodInvocationTree tree, Scope scope) {
        String name = tree.getMethodSelect().toString();
        if (name.equals("polynomial")) {
            return polynomial(tree, scope);
        }
        List<Value> arguments = tree.getArguments().stream()
                .map(argument -> visit(argument, scope))
                .toList();
        Value first = arguments.get(0);
        return switch (name) {
            case "Math.fma" -> {
                Lane lane = first.lane()
                        .with(arguments.get(1).lane())
                        .with(arguments.get(2).lane());
                String factor = loop.vector(arguments.get(1), lane);
                yield call(first, lane, "fma(" + factor + ", " + loop.vector(arguments.get(2), lane) + ")");
            }
            case "Math.min", "Math.max" -> {
                Lane lane = first.lane().with(arguments.get(1).lane());
                yield call(first, lane, name.replace("Math.", "") + "(" + loop.vector(arguments.get(1), lane) + ")");
            }
            case "Math.abs" -> call(first, first.lane(), "abs()");
            case "Math.sqrt" -> call(first, Lane.DOUBLE, "lanewise(SQRT)");
            case "Float.floatToRawIntBits" -> bits(name, first, Lane.FLOAT, Lane.INT);
            case "Float.intBitsToFloat" -> bits(name, first, Lane.INT, Lane.FLOAT);
            case "Double.doubleToRawLongBits" -> bits(name, first, Lane.DOUBLE, Lane.LONG);
            case "Double.longBitsToDouble" -> bits(name, first, Lane.LONG, Lane.DOUBLE);
            default -> method(name, arguments, scope);
        };
    }

    private Value bits(String function, Value value, Lane from, Lane to) {
        return value.form() == Form.CONSTANT
                ? new Value(function + "(" + value.text() + ")", to, Form.CONSTANT)
                : new Value(
                        call(value, from, "reinterpretAs" + to.capitalised() + "s()")
                                .text(),
                        to,
                        Form.VECTOR);
    }

    /** With each coefficient as a constant. */
    private Value polynomial(MethodInvocationTree tree, Scope scope) {
        Value z = loop.bound("z", visit(tree.getArguments().get(0), scope));
        String array = tree.getArguments().get(1).toString();
        String coefficient = scope.definition.name() + "." + array + "[%d]";
        VariableTree coefficients = found(scope.definition.constants(), array);
        Lane lane = Lane.of(((ArrayTypeTree) coefficients.getType()).getType());
        int last =
                ((NewArrayTree) coefficients.getInitializer()).getInitializers().size() - 1;
        Value sum = new Value(coefficient.formatted(last), lane, Form.CONSTANT);
        for (int i = last - 1; i >= 0; i--) {
            Value next = new Value(coefficient.formatted(i), lane, Form.CONSTANT);
            String fma = "fma(" + z.text() + ", " + loop.vector(next, lane) + ")";
            sum = loop.bound("sum", call(sum, lane, fma));
        }
        return sum;
    }

    /** The body of a method, in place of its call. */
    private Value method(String name, List<Value> arguments, Scope caller) {
        String[] path = name.split("\\.");
        String key = Definition.key(path[path.length - 1], arguments.size());
        Definition definition = path.length > 1
                ? found(definitions, path[0])
                : caller.definition.methods().containsKey(key) ? caller.definition : imported(name, caller);
        MethodTree method = found(definition.methods(), key);
        Scope scope = new Scope(definition, new HashMap<>(), false);
        for (int i = 0; i < arguments.size(); i++) {
            declare(method.getParameters().get(i), arguments.get(i), scope);
        }
        for (StatementTree statement : method.getBody().getStatements()) {
            if (statement instanceof VariableTree local) {
                declare(local, visit(local.getInitializer(), scope), scope);
            } else if (statement instanceof ExpressionStatementTree expression) {
                AssignmentTree assignment = (AssignmentTree) expression.getExpression();
                String variable = assignment.getVariable().toString();
                scope.values.put(variable, loop.bound(variable, visit(assignment.getExpression(), scope)));
            } else {
                Value result = visit(((ReturnTree) statement).getExpression(), scope);
                return loop.converted(result, Lane.of(method.getReturnType()));
            }
        }
        throw new IllegalArgumentException("Cannot find what " + name + " returns");
    }

    private void declare(VariableTree variable, Value value, Scope scope) {
        String name = variable.getName().toString();
        scope.values.put(name, loop.bound(name, loop.converted(value, Lane.of(variable.getType()))));
    }
}
