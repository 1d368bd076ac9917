package io.github.broadloom.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The kernels against an interpreter that shares no code with them: one element at a time, broadcast by hand, each
 * operation written here in plain Java for double, float and long.
 */
class NaiveLoopTest {
    private static final List<String> OF_ALL =
            List.of("add", "sub", "mul", "neg", "abs", "maximum", "minimum", "square", "where", "clamp");
    private static final List<String> OF_REALS = List.of("div", "floor", "sqrt", "reciprocal");

    /** A node of the interpreter: a strided operand, or an operation; values are Double or Long. */
    private record Node(Expr expr, long[] sizes, long[] strides, long offset, List<Object> storage, List<Node> args) {

        Object at(long[] index, DType dtype) {
            long[] own = new long[sizes.length];
            for (int dim = 0; dim < own.length; dim++) {
                own[dim] = sizes[dim] == 1 ? 0 : index[index.length - own.length + dim];
            }
            if (args.isEmpty()) {
                long place = offset;
                for (int dim = 0; dim < own.length; dim++) {
                    place += own[dim] * strides[dim];
                }
                return storage.get((int) place);
            }
            Object[] values = args.stream().map(arg -> arg.at(own, dtype)).toArray();
            String op = storage.get(0).toString();
            if (dtype == DType.INT64) {
                return integer(
                        op, Arrays.stream(values).mapToLong(v -> (Long) v).toArray());
            }
            double result =
                    real(op, Arrays.stream(values).mapToDouble(v -> (Double) v).toArray());
            return dtype == DType.FLOAT32 ? (double) (float) result : result;
        }
    }

    /**
     * float32 too: a double holds the exact sum, product or quotient well enough that rounding it to float is rounding
     * once.
     */
    private static double real(String op, double[] x) {
        return switch (op) {
            case "add" -> x[0] + x[1];
            case "sub" -> x[0] - x[1];
            case "mul" -> x[0] * x[1];
            case "div" -> x[0] / x[1];
            case "neg" -> -x[0];
            case "abs" -> x[0] < 0 || 1 / x[0] < 0 ? -x[0] : x[0];
            case "maximum" -> Double.isNaN(x[0]) || Double.isNaN(x[1]) ? Double.NaN : x[0] > x[1] ? x[0] : x[1];
            case "minimum" -> Double.isNaN(x[0]) || Double.isNaN(x[1]) ? Double.NaN : x[0] < x[1] ? x[0] : x[1];
            case "clamp" -> real("minimum", new double[] {real("maximum", new double[] {x[0], x[1]}), x[2]});
            case "square" -> x[0] * x[0];
            case "where" -> x[0] < x[1] ? x[2] : x[1];
            case "floor" -> Math.floor(x[0]);
            case "sqrt" -> Math.sqrt(x[0]);
            case "reciprocal" -> 1 / x[0];
            default -> throw new AssertionError(op);
        };
    }

    private static long integer(String op, long[] x) {
        return switch (op) {
            case "add" -> x[0] + x[1];
            case "sub" -> x[0] - x[1];
            case "mul" -> x[0] * x[1];
            case "neg" -> -x[0];
            case "abs" -> x[0] < 0 ? -x[0] : x[0];
            case "maximum" -> x[0] > x[1] ? x[0] : x[1];
            case "minimum" -> x[0] < x[1] ? x[0] : x[1];
            case "clamp" -> integer("minimum", new long[] {integer("maximum", new long[] {x[0], x[1]}), x[2]});
            case "square" -> x[0] * x[0];
            case "where" -> x[0] < x[1] ? x[2] : x[1];
            default -> throw new AssertionError(op);
        };
    }

    static LongStream seeds() {
        return Property.seeds(300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theKernelsAgree(long seed) {
        Random random = new Random(seed);
        DType dtype = new DType[] {DType.FLOAT64, DType.FLOAT32, DType.INT64}[random.nextInt(3)];
        long[] common = new Random(seed).longs(random.nextInt(6), 0, 5).toArray();
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            nodes.add(operand(random, dtype, common));
        }
        for (int i = 0; i < 8; i++) {
            nodes.add(operation(random, dtype, nodes));
        }
        Node root = nodes.get(nodes.size() - 1);
        Tensor got = Devices.backend(Device.CPU).evaluate(root.expr());
        assertThat(got.shape().toArray()).isEqualTo(root.sizes());
        List<Object> expected = new ArrayList<>();
        count(root.sizes(), new long[root.sizes().length], 0, index -> expected.add(root.at(index, dtype)));
        assertThat(got.values())
                .as(Property.describe(seed, root.expr()))
                .usingElementComparator(NaiveLoopTest::compare)
                .isEqualTo(expected);
    }

    /** Equal NaNs and equal zeros: which zero is the greater one is left to {@code ExprPropertyTest} and the vectors. */
    private static int compare(Object a, Object b) {
        if (a instanceof Double x && b instanceof Double y && x == 0 && y == 0) {
            return 0;
        }
        return a.equals(b) ? 0 : 1;
    }

    private interface Visitor {
        void visit(long[] index);
    }

    private static void count(long[] sizes, long[] index, int dim, Visitor visitor) {
        if (dim == sizes.length) {
            visitor.visit(index.clone());
            return;
        }
        for (index[dim] = 0; index[dim] < sizes[dim]; index[dim]++) {
            count(sizes, index, dim + 1, visitor);
        }
    }

    private static Node operand(Random random, DType dtype, long[] common) {
        int dropped = random.nextInt(common.length + 1);
        long[] sizes = Arrays.copyOfRange(common, dropped, common.length);
        long[] strides = new long[sizes.length];
        long offset = random.nextInt(4);
        long last = offset;
        for (int dim = 0; dim < sizes.length; dim++) {
            sizes[dim] = random.nextInt(3) == 0 ? 1 : sizes[dim];
            strides[dim] = random.nextInt(7);
            last += Math.max(0, sizes[dim] - 1) * strides[dim];
        }
        List<Object> storage = new ArrayList<>();
        for (long i = 0; i <= last; i++) {
            Object value =
                    dtype == DType.INT64 ? (Object) (random.nextLong() >> random.nextInt(64)) : real(random, dtype);
            storage.add(value);
        }
        Tensor tensor = Tensors.fromStorageValues(dtype, Layout.of(Shape.of(sizes), strides, offset), storage);
        return new Node(Input.of(tensor), sizes, strides, offset, storage, List.of());
    }

    private static Object real(Random random, DType dtype) {
        double value =
                random.nextInt(15) == 0 ? Double.NaN : random.nextGaussian() * Math.scalb(1.0, random.nextInt(40) - 20);
        return dtype == DType.FLOAT32 ? (double) (float) value : value;
    }

    private static Node operation(Random random, DType dtype, List<Node> nodes) {
        List<String> names = new ArrayList<>(OF_ALL);
        names.addAll(dtype == DType.INT64 ? List.of() : OF_REALS);
        String name = names.get(random.nextInt(names.size()));
        Op op = Op.of(name);
        List<Node> args = new ArrayList<>();
        for (int i = 0; i < op.arity(); i++) {
            args.add(nodes.get(random.nextInt(nodes.size())));
        }
        Expr[] exprs = args.stream().map(Node::expr).toArray(Expr[]::new);
        if (name.equals("where")) { // where(a < b, c, b)
            exprs = new Expr[] {Expr.apply(Op.of("lt"), exprs[0], exprs[1]), exprs[2], exprs[1]};
        }
        return new Node(Expr.apply(op, exprs), broadcast(args), new long[0], 0, List.of(name), args);
    }

    private static long[] broadcast(List<Node> args) {
        int rank = args.stream().mapToInt(arg -> arg.sizes().length).max().orElse(0);
        long[] sizes = new long[rank];
        Arrays.fill(sizes, 1);
        for (Node arg : args) {
            for (int dim = 0; dim < arg.sizes().length; dim++) {
                int at = rank - arg.sizes().length + dim;
                sizes[at] = sizes[at] == 1 ? arg.sizes()[dim] : sizes[at];
            }
        }
        return sizes;
    }
}
