package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The reductions that are made of others. Dimensions are as in {@link Expr#reduce}: negative ones count from the end, and
 * none named means all.
 */
public final class Reductions {
    private Reductions() {}

    /**
     * A sum or a product as {@code dtype}: the values are converted first, as in PyTorch, and of bools the result is
     * whether any (of a product: whether all) are true.
     */
    public static Expr inDType(Reduction reduction, Expr operand, DType dtype, KeepDim keepDim, int... dims) {
        if (reduction == Reduction.MEAN && !dtype.isFloatingPoint()) {
            throw new IllegalArgumentException("mean(): could not infer output dtype. Optional dtype must be either a"
                    + " floating point or complex dtype. Got: " + dtype.typeName());
        }
        return Expr.cast(Expr.reduce(reduction, Expr.cast(operand, dtype), keepDim, dims), dtype);
    }

    /** How many values are not zero, in int64; NaN is not zero. */
    public static Expr countNonzero(Expr operand, KeepDim keepDim, int... dims) {
        return Expr.reduce(Reduction.SUM, Expr.cast(operand, DType.BOOL), keepDim, dims);
    }

    /**
     * The mean of what is not NaN.
     *
     * @throws IllegalArgumentException with PyTorch's text, for bools and integers
     */
    public static Expr nanmean(Expr operand, KeepDim keepDim, int... dims) {
        if (!operand.dtype().isFloatingPoint()) {
            throw new IllegalArgumentException(
                    "nanmean(): expected input to have floating point or complex dtype but got "
                            + operand.dtype().typeName());
        }
        Expr number = Expr.apply(Ops.LOGICAL_NOT, Expr.apply(Ops.ISNAN, operand));
        return Expr.apply(
                Ops.DIV,
                Expr.reduce(Reduction.NANSUM, operand, keepDim, dims),
                Expr.reduce(Reduction.SUM, number, keepDim, dims));
    }

    /**
     * The p-norm, as {@code torch.linalg.vector_norm}: the {@code p}th root of the sum of {@code |x| ** p}; the
     * greatest or smallest {@code |x|} for an infinite {@code p}, and for 0 the number of values that are not zero.
     *
     * @throws IllegalArgumentException with PyTorch's text, for bools and integers, and where there is no value but the norm
     *     needs one
     */
    public static Expr norm(Expr operand, double p, KeepDim keepDim, int... dims) {
        DType dtype = operand.dtype();
        if (!dtype.isFloatingPoint()) {
            throw new IllegalArgumentException(
                    "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
                            + dtype.typeName());
        }
        Dims.checkDistinct(operand.shape(), dims);
        if (p < 0 || p == Double.POSITIVE_INFINITY) {
            checkNormOfEmpty(operand, p, dims);
        }
        if (dtype.isReducedFloatingPoint()) { // the squares of its values go past its range
            return Expr.cast(norm(Expr.cast(operand, DType.FLOAT32), p, keepDim, dims), dtype);
        }
        Expr size = Expr.apply(Ops.ABS, operand);
        if (p == 0) {
            return inDType(Reduction.SUM, Expr.cast(operand, DType.BOOL), dtype, keepDim, dims);
        }
        if (Double.isInfinite(p)) {
            return Expr.reduce(p > 0 ? Reduction.AMAX : Reduction.AMIN, size, keepDim, dims);
        }
        if (p == 1 || isSingle(operand, dims)) {
            return Expr.reduce(Reduction.SUM, size, keepDim, dims);
        }
        if (p == 2) {
            return Expr.apply(Ops.SQRT, Expr.reduce(Reduction.SUM, Expr.apply(Ops.SQUARE, operand), keepDim, dims));
        }
        Expr sum = Expr.reduce(Reduction.SUM, Expr.apply(Ops.POW, size, Expr.literal(p)), keepDim, dims);
        return Expr.apply(Ops.POW, sum, Expr.literal(1 / p));
    }

    /**
     * The Frobenius norm, {@code 'fro'}: the 2-norm of all values, or along one or two dimensions; or the nuclear norm of matrices,
     * {@code 'nuc'}: the sum of their singular values.
     *
     * @param dims of the matrices, two of them; none means all
     * @throws IllegalArgumentException with PyTorch's text, for other orders, dtypes and dimensions
     */
    public static Expr norm(Expr operand, String order, KeepDim keepDim, int... dims) {
        if (order.equals("fro") && dims.length <= 2) {
            return norm(operand, 2, keepDim, dims);
        }
        int[] matrix = dims.length == 0 ? Dims.normalize(operand.shape(), dims) : dims;
        checkMatrixNorm(operand, order, matrix);
        Expr norm = Lines.nuclearNorm(operand, matrix[0], matrix[1]);
        for (int dim : keepDim == KeepDim.KEEP ? Dims.normalize(operand.shape(), matrix) : new int[0]) {
            norm = ViewOps.unsqueeze(norm, dim);
        }
        return norm;
    }

    private static void checkMatrixNorm(Expr operand, String order, int... dims) {
        DType dtype = operand.dtype();
        boolean nuclear = order.equals("nuc");
        requireMatrixNorm(nuclear || order.equals("fro"), "Order " + order + " not supported.");
        requireMatrixNorm(operand.shape().rank() > 1, "The input tensor A must have at least 2 dimensions.");
        requireMatrixNorm(
                dtype.isFloatingPoint(),
                "Expected a floating point or complex tensor as input. Got " + dtype.typeName());
        requireMatrixNorm(
                !nuclear || !dtype.isReducedFloatingPoint(),
                "Low precision dtypes not supported. Got " + dtype.typeName());
        String shown = Arrays.stream(dims).mapToObj(String::valueOf).collect(Collectors.joining(" "));
        requireMatrixNorm(dims.length == 2, "dim must be a 2-tuple. Got " + shown);
        int first = operand.shape().normalizeDim(dims[0]);
        int second = operand.shape().normalizeDim(dims[1]);
        requireMatrixNorm(first != second, "dims must be different. Got (" + dims[0] + ", " + dims[1] + ")");
    }

    private static void requireMatrixNorm(boolean condition, String sentence) {
        ProductErrors.require(condition, "linalg.matrix_norm: " + sentence);
    }

    /** Whether each result is made of one value: PyTorch then takes its magnitude, which cannot overflow. */
    private static boolean isSingle(Expr operand, int[] dims) {
        return Arrays.stream(Dims.normalize(operand.shape(), dims))
                .allMatch(dim -> operand.shape().size(dim) == 1);
    }

    private static void checkNormOfEmpty(Expr operand, double p, int[] dims) {
        String name = "linalg.vector_norm cannot compute the "
                + (Double.isInfinite(p) ? p > 0 ? "inf" : "-inf" : p == Math.rint(p) ? String.valueOf((long) p) : p)
                + " norm on ";
        String reason = "because this dimension is empty and the operation does not have an identity";
        if (operand.shape().numel() != 0) {
            return;
        }
        if (dims.length == 0) {
            throw new IllegalArgumentException(
                    name + "an empty tensor because the operation does not have an identity");
        }
        for (int dim : dims) {
            if (operand.shape().size(operand.shape().normalizeDim(dim)) == 0) {
                throw new IllegalArgumentException(name + "the dimension " + dim + reason); // no space: PyTorch's words
            }
        }
    }

    /**
     * The logarithm of the sum of the exponentials, taken relative to the greatest value so that nothing overflows. Bools
     * and integers are converted to float32.
     */
    public static Expr logsumexp(Expr operand, KeepDim keepDim, int... dims) {
        if (!operand.dtype().isFloatingPoint()) {
            return logsumexp(Expr.cast(operand, DType.FLOAT32), keepDim, dims);
        }
        if (operand.dtype().isReducedFloatingPoint()) {
            return Expr.cast(logsumexp(Expr.cast(operand, DType.FLOAT32), keepDim, dims), operand.dtype());
        }
        if (operand.shape().numel() == 0) {
            return Expr.apply(Ops.LOG, Expr.reduce(Reduction.SUM, Expr.apply(Ops.EXP, operand), keepDim, dims));
        }
        Expr greatest = Expr.reduce(Reduction.AMAX, operand, KeepDim.KEEP, dims);
        Expr infinite = Expr.apply(Ops.EQ, Expr.apply(Ops.ABS, greatest), Expr.literal(Double.POSITIVE_INFINITY));
        Expr origin = Expr.apply(Ops.WHERE, infinite, Expr.literal(0), greatest);
        Expr powers = Expr.apply(Ops.EXP, Expr.apply(Ops.SUB, operand, origin));
        Expr sum = Expr.reduce(Reduction.SUM, powers, KeepDim.KEEP, dims);
        Expr kept = Expr.apply(Ops.ADD, Expr.apply(Ops.LOG, sum), origin);
        return keepDim == KeepDim.KEEP
                ? kept
                : Expr.reduce(Reduction.AMAX, kept, KeepDim.DROP, dims); // of one value each
    }

    /**
     * The exponentials over their sum along a dimension.
     *
     * @throws IllegalArgumentException with PyTorch's text, for bools and integers
     */
    public static Expr softmax(Expr operand, int dim) {
        if (!isComputed(operand, "softmax", dim)) {
            return operand;
        }
        Expr wide = widened(operand);
        Expr powers = Expr.apply(Ops.EXP, belowGreatest(wide, dim));
        Expr sum = Expr.reduce(Reduction.SUM, powers, KeepDim.KEEP, dim);
        return Expr.cast(Expr.apply(Ops.DIV, powers, sum), operand.dtype());
    }

    /**
     * The logarithm of the softmax along a dimension, without its underflow.
     *
     * @throws IllegalArgumentException with PyTorch's text, for bools and integers
     */
    public static Expr logSoftmax(Expr operand, int dim) {
        if (!isComputed(operand, "log_softmax", dim)) {
            return operand;
        }
        Expr below = belowGreatest(widened(operand), dim);
        Expr sum = Expr.reduce(Reduction.SUM, Expr.apply(Ops.EXP, below), KeepDim.KEEP, dim);
        return Expr.cast(Expr.apply(Ops.SUB, below, Expr.apply(Ops.LOG, sum)), operand.dtype());
    }

    /** PyTorch names the kernel in its refusal, and has one of its own for the last dimension. */
    private static boolean isComputed(Expr operand, String name, int dim) {
        boolean last = operand.shape().normalizeDim(dim) >= operand.shape().rank() - 1;
        if (operand.shape().numel() > 0 && !operand.dtype().isFloatingPoint()) {
            throw new IllegalArgumentException('"' + name + (last ? "_lastdim" : "")
                    + "_kernel_impl\" not implemented for '" + operand.dtype().typeName() + "'");
        }
        return operand.shape().numel() > 0;
    }

    private static Expr widened(Expr operand) {
        return operand.dtype().isReducedFloatingPoint() ? Expr.cast(operand, DType.FLOAT32) : operand;
    }

    private static Expr belowGreatest(Expr operand, int dim) {
        return Expr.apply(Ops.SUB, operand, Expr.reduce(Reduction.AMAX, operand, KeepDim.KEEP, dim));
    }

    /** The greatest or smallest values along a dimension, and where they are. */
    public static ValuesAndIndices<Expr> extreme(
            String name, Reduction reduction, Expr operand, KeepDim keepDim, int dim) {
        Dims.checkNotEmpty(name, operand.shape(), operand.shape().normalizeDim(dim));
        // Bools have no place of their own in PyTorch's argmax, but they have in max.
        Expr ordered = operand.dtype() == DType.BOOL ? Expr.cast(operand, DType.UINT8) : operand;
        Reduction place = reduction == Reduction.AMAX ? Reduction.ARGMAX : Reduction.ARGMIN;
        return new ValuesAndIndices<>(
                Expr.reduce(reduction, operand, keepDim, dim), Expr.reduce(place, ordered, keepDim, dim));
    }
}
