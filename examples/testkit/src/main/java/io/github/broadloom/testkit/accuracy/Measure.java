package io.github.broadloom.testkit.accuracy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Ulps;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Measures the kernels. Those of float32 and float16 are held against those of float64, rounded; those of float64 against
 * {@link References} of many digits, which share nothing with them. The references are computed on the CPU.
 *
 * @param device whose kernels are measured
 */
record Measure(Device device) {
    /** Numbers that every dtype holds, where the defaults are not such. */
    private static final Map<String, List<Double>> PARAMETERS =
            Map.of("nan_to_num", List.of(0.0, 1.0, -1.0), "leaky_relu", List.of(0.125));

    /** Where exp(-x) passes the greatest number, the logistic function is 0 as in PyTorch. */
    private static final Map<DType, Double> SIGMOID_ENDS =
            Map.of(DType.FLOAT32, -88.72283905206835, DType.FLOAT64, -709.782712893384);

    /**
     * What float64 says of another dtype is not their value: the divisions round a quotient that is rounded already, as
     * Python and PyTorch do, and the next number is another one in each dtype.
     */
    private static final Set<String> OF_THE_DTYPE_ITSELF = Set.of("floor_divide", "div_trunc", "nextafter");

    /** The operations of one or two floating arguments whose result is floating, in the order of the table. */
    static List<Op> measurable(int arity) {
        return Op.all().stream()
                .filter(op -> op.arity() == arity && op.supports(DType.FLOAT32))
                .filter(op -> result(op, DType.FLOAT32).isFloatingPoint())
                .filter(op -> !OF_THE_DTYPE_ITSELF.contains(op.name()))
                .toList();
    }

    private static DType result(Op op, DType dtype) {
        Expr[] args = new Expr[op.arity()];
        Arrays.fill(args, Input.of(dtype, dtype, Shape.of(1)));
        return Expr.apply(op, args).dtype();
    }

    /** The worst error at these arguments, one array for each, in float32 or float16. */
    Worst narrow(Op op, DType dtype, float[]... arguments) {
        double[] got = evaluate(op, dtype, device, arguments);
        double[] expected = evaluate(op, DType.FLOAT64, Device.CPU, arguments);
        Worst worst = Worst.NONE;
        for (int i = 0; i < got.length; i++) {
            double first = arguments[0][i];
            double wanted = isSigmoidsEnd(op, dtype, first) ? 0 : expected[i];
            long ulps = distance(got[i], wanted, dtype);
            if (ulps > worst.ulps()) {
                worst = new Worst(ulps, text(arguments, i));
            }
        }
        return worst;
    }

    private static boolean isSigmoidsEnd(Op op, DType dtype, double argument) {
        return op.name().equals("sigmoid") && argument < SIGMOID_ENDS.getOrDefault(dtype, Double.NEGATIVE_INFINITY);
    }

    private static String text(float[][] arguments, int i) {
        return Arrays.stream(arguments)
                .map(argument -> Float.toString(argument[i]))
                .collect(Collectors.joining(", "));
    }

    private static double[] evaluate(Op op, DType dtype, Device device, float[][] arguments) {
        List<Tensor> tensors = Arrays.stream(arguments)
                .map(argument -> Tensors.copyOf(argument, argument.length))
                .map(floats -> dtype == DType.FLOAT32 ? floats : converted(floats, dtype))
                .toList();
        return apply(op, tensors, device);
    }

    private static Tensor converted(Tensor floats, DType dtype) {
        Tensor converted = floats.to(dtype);
        floats.storage().release();
        return converted;
    }

    /** The result, as doubles; the tensors are released. */
    private static double[] apply(Op op, List<Tensor> tensors, Device device) {
        List<Object> others = new ArrayList<>(tensors.subList(1, tensors.size()));
        others.addAll(PARAMETERS.getOrDefault(op.name(), List.of()));
        Tensor there = LazyTensor.of(tensors.get(0)).apply(op, others.toArray()).compute(device);
        Tensor result = there.to(Device.CPU);
        if (result != there) {
            there.release();
        }
        Tensor wide = result.dtype() == DType.FLOAT64 ? result : converted(result, DType.FLOAT64);
        double[] values = wide.toDoubleArray();
        wide.storage().release();
        tensors.forEach(tensor -> tensor.storage().release());
        return values;
    }

    /** The worst error at these doubles; arguments outside the domain are passed over. */
    Worst wide(Op op, double[]... arguments) {
        double[] got = apply(
                op,
                Arrays.stream(arguments)
                        .map(argument -> Tensors.copyOf(argument, argument.length))
                        .toList(),
                device);
        Worst worst = Worst.NONE;
        for (int i = 0; i < got.length; i++) {
            double first = arguments[0][i];
            Optional<BigDecimal> exact = arguments.length == 1
                    ? References.unary(op.name(), first)
                    : References.binary(op.name(), first, arguments[1][i]);
            if (exact.isEmpty() || isSigmoidsEnd(op, DType.FLOAT64, first)) {
                continue;
            }
            long ulps = distance(op, first, got[i], exact.get().doubleValue());
            if (ulps > worst.ulps()) {
                worst = new Worst(ulps, first + (arguments.length == 1 ? "" : ", " + arguments[1][i]));
            }
        }
        return worst;
    }

    /** Near a zero that no double hits, the logarithms of gamma and of sums count units of the last place of 1. */
    private static long distance(Op op, double argument, double got, double expected) {
        boolean zeros = op.name().equals("lgamma") && argument < -2 || op.name().startsWith("logaddexp");
        return zeros && Math.abs(expected) < 1
                ? Math.round(Math.abs(got - expected) / Math.ulp(1.0))
                : distance(got, expected, DType.FLOAT64);
    }

    private static long distance(double got, double expected, DType dtype) {
        if (Double.isNaN(got) || Double.isNaN(expected)) {
            return Double.isNaN(got) && Double.isNaN(expected) ? 0 : Long.MAX_VALUE;
        }
        return Ulps.between(got, expected, dtype);
    }
}
