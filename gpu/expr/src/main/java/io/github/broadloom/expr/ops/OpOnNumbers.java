package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.math.Arith;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.ExpressionEvaluator;

/**
 * The Java text of a row of the table, computed of plain numbers: as Python's numbers go where wider ones are wanted, in the narrowest of
 * bool, int64 and float64 that holds the operands and that the row has a text for.
 */
final class OpOnNumbers {
    private static final List<DType> TYPES = List.of(DType.BOOL, DType.INT64, DType.FLOAT64);

    private static final Map<String, ExpressionEvaluator> COMPILED = new ConcurrentHashMap<>();

    private OpOnNumbers() {}

    /**
     * A Boolean, a Long, an Integer or a Double.
     *
     * @param args the operands, and as many of the parameters as are given
     * @throws IllegalArgumentException with PyTorch's text, where the row has no text for such numbers
     * @throws ArithmeticException with PyTorch's text, for an integer divided by zero
     */
    static Object compute(Op op, List<Literal> args) {
        DType type = type(op, args.subList(0, op.arity()));
        List<Object> values = new ArrayList<>();
        args.forEach(arg -> values.add(arg.valueAs(type)));
        for (int i = args.size() - op.arity(); i < op.parameters().size(); i++) {
            values.add(Literal.of(op.parameters().get(i).value().apply(type)).valueAs(type));
        }
        try {
            return evaluator(op, type, values.size()).evaluate(values.toArray());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof ArithmeticException zeroDivision) {
                throw zeroDivision;
            }
            throw new IllegalStateException("Cannot compute " + op + " of " + args + ": " + e.getCause(), e);
        }
    }

    private static DType type(Op op, List<Literal> operands) {
        int widest = operands.stream()
                .mapToInt(operand -> operand.value() instanceof Boolean ? 0 : operand.value() instanceof Long ? 1 : 2)
                .max()
                .orElseThrow();
        return TYPES.subList(widest, TYPES.size()).stream()
                .filter(op::supports)
                .findFirst()
                .orElse(TYPES.get(widest));
    }

    private static ExpressionEvaluator evaluator(Op op, DType type, int count) {
        op.template(type);
        return COMPILED.computeIfAbsent(op + " " + type, key -> compiled(op, type, count));
    }

    private static ExpressionEvaluator compiled(Op op, DType type, int count) {
        Class<?> number = type == DType.BOOL ? boolean.class : type == DType.INT64 ? long.class : double.class;
        String[] names = IntStream.range(0, count).mapToObj(i -> "v" + i).toArray(String[]::new);
        Class<?>[] types = Stream.of(names).map(name -> number).toArray(Class<?>[]::new);
        String text = op.java(type, List.of(names));
        try {
            ExpressionEvaluator evaluator = new ExpressionEvaluator();
            evaluator.setParentClassLoader(Arith.class.getClassLoader());
            evaluator.setDefaultImports(Arith.class.getPackageName() + ".*");
            evaluator.setParameters(names, types);
            evaluator.setExpressionType(Object.class);
            evaluator.cook(text);
            return evaluator;
        } catch (CompileException e) {
            throw new IllegalStateException("Cannot compile " + op + ": " + e.getMessage() + "\n" + text, e);
        }
    }
}
