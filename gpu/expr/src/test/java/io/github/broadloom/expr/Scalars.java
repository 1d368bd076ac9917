package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.math.Arith;
import io.github.broadloom.shape.Shape;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.ExpressionEvaluator;

/**
 * The plainest evaluator: one element at a time, and one compiled template for each operation and dtype. It is what the
 * kernels are compared with, so it shares nothing with them but the templates.
 */
public final class Scalars {
    private final Map<String, ExpressionEvaluator> compiled = new HashMap<>();

    /** All elements in row-major order. */
    public List<Object> evaluate(Expr expr) throws CompileException, InvocationTargetException {
        List<Object> values = new ArrayList<>();
        Shape shape = expr.shape();
        long[] index = new long[shape.rank()];
        for (long i = 0; i < shape.numel(); i++) {
            long rest = i;
            for (int dim = shape.rank() - 1; dim >= 0; dim--) {
                index[dim] = rest % shape.size(dim);
                rest /= shape.size(dim);
            }
            values.add(at(expr, shape, index));
        }
        return values;
    }

    private Object at(Expr expr, Shape shape, long[] index) throws CompileException, InvocationTargetException {
        if (expr instanceof Input input) {
            return ((Operands.Operand) input.source()).at(shape, index);
        }
        if (expr instanceof Literal literal) {
            return literal.value();
        }
        if (expr instanceof Cast cast) {
            return convert(at(cast.operand(), shape, index), cast.dtype());
        }
        Apply apply = (Apply) expr;
        Object[] args = new Object[apply.children().size()];
        for (int i = 0; i < args.length; i++) {
            DType type = apply.argumentType(i);
            args[i] = boxed(convert(at(apply.children().get(i), shape, index), type), type);
        }
        return convert(widened(compiled(apply).evaluate(args)), apply.dtype());
    }

    private ExpressionEvaluator compiled(Apply apply) throws CompileException {
        String key = apply.op() + " " + apply.computeType() + " " + apply.dtype();
        ExpressionEvaluator evaluator = compiled.get(key);
        if (evaluator == null) {
            String[] names = {"a", "b", "c", "d"};
            String[] parameters = new String[apply.children().size()];
            Class<?>[] types = new Class<?>[parameters.length];
            for (int i = 0; i < parameters.length; i++) {
                parameters[i] = names[i];
                types[i] = javaClass(apply.argumentType(i));
            }
            evaluator = new ExpressionEvaluator();
            evaluator.setParameters(parameters, types);
            boolean truth = apply.dtype() == DType.BOOL;
            evaluator.setExpressionType(javaClass(truth ? DType.BOOL : apply.computeType()));
            evaluator.setDefaultImports(Arith.class.getPackageName() + ".*", DType.class.getPackageName() + ".*");
            evaluator.cook(apply.op().java(apply.computeType(), List.of(parameters)));
            compiled.put(key, evaluator);
        }
        return evaluator;
    }

    private static Class<?> javaClass(DType dtype) {
        return switch (dtype.valueType().javaName()) {
            case "boolean" -> boolean.class;
            case "int" -> int.class;
            case "long" -> long.class;
            case "float" -> float.class;
            default -> double.class;
        };
    }

    private static Object boxed(Object value, DType dtype) {
        return switch (dtype.valueType().javaName()) {
            case "int" -> (Object) ((Long) value).intValue();
            case "float" -> (Object) ((Double) value).floatValue();
            default -> value;
        };
    }

    private static Object widened(Object value) {
        if (value instanceof Integer integer) {
            return integer.longValue();
        }
        return value instanceof Float real ? (Object) real.doubleValue() : value;
    }

    private static double rounded(float value, DType dtype) {
        return dtype.isReducedFloatingPoint() ? dtype.reduced().round(value) : value;
    }

    private static Object convert(Object value, DType dtype) {
        if (value instanceof Double real) {
            return switch (dtype.valueType()) {
                case DOUBLE -> real;
                case FLOAT -> (Object) rounded(real.floatValue(), dtype);
                case BOOL -> real != 0;
                case INT, LONG -> convert(real.longValue(), dtype);
            };
        }
        long integer = value instanceof Boolean bool ? (bool ? 1 : 0) : (Long) value;
        return switch (dtype) {
            case BOOL -> integer != 0;
            case UINT8 -> (Object) (integer & 0xff);
            case INT8 -> (Object) (long) (byte) integer;
            case INT16 -> (Object) (long) (short) integer;
            case INT32 -> (Object) (long) (int) integer;
            case INT64 -> (Object) integer;
            case FLOAT16, BFLOAT16, FLOAT32 -> (Object) rounded((float) integer, dtype);
            case FLOAT64 -> (Object) (double) integer;
        };
    }
}
