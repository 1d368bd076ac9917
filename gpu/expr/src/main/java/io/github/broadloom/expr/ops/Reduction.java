package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How values along dimensions become one: a row each, from which the function of the string language, its documentation and the kernels
 * are made. Partial results are accumulators; {@link #join()} says how two of them become one, and {@link #finish()} what becomes of the last.
 * A row may also be another one of values that are lifted by an expression, which is computed in the same pass.
 */
public enum Reduction {
    /** Bools and integers are summed in int64. */
    SUM("sum", Join.SUM, Finish.SUM, "The sum."),
    MEAN("mean", Join.SUM, Finish.MEAN, "The arithmetic mean."),
    /** Bools and integers are multiplied in int64. */
    PROD("prod", Join.PRODUCT, Finish.VALUE, "The product."),
    AMIN("amin", Join.MIN, Finish.VALUE, "The smallest value, or NaN where there is one."),
    AMAX("amax", Join.MAX, Finish.VALUE, "The greatest value, or NaN where there is one."),
    ALL("all", Join.AND, Finish.VALUE, "Whether no value is zero; of uint8 as uint8."),
    ANY("any", Join.OR, Finish.VALUE, "Whether a value is not zero; of uint8 as uint8."),
    /** The components are the value and its place. */
    ARGMIN(
            "argmin",
            Join.FIRST_MIN,
            Finish.PLACE,
            "Where the smallest value is, or the first NaN; of several the first."),
    /** The components are the value and its place. */
    ARGMAX(
            "argmax",
            Join.FIRST_MAX,
            Finish.PLACE,
            "Where the greatest value is, or the first NaN; of several the first."),
    /**
     * The components are the mean and the sum of the squared deviations, joined as Chan, Golub and LeVeque do (1979), so
     * that a mean far from zero costs no precision.
     */
    VAR(
            "var",
            Join.MOMENTS,
            Finish.VARIANCE,
            "The squared deviations from the mean over their count less the correction."),
    STD("std", Join.MOMENTS, Finish.DEVIATION, "The square root of the variance."),
    NANSUM("nansum", SUM, Reduction::zeroForNan, "The sum of what is not NaN.");

    /** What becomes of the last accumulator: CUDA C of it, {@code A}, and of a divisor, {@code N}. */
    public enum Finish {
        VALUE("A"),
        /** PyTorch's sums begin at +0.0, so that of nothing but -0.0 is +0.0. */
        SUM("A + 0.0"),
        MEAN("(A + 0.0) / N"),
        VARIANCE("A.c1 / N"),
        DEVIATION("sqrt(A.c1 / N)"),
        PLACE("A.c1");

        private final String cuda;

        Finish(String cuda) {
            this.cuda = cuda;
        }
    }

    private final String torchName;
    private final Join join;
    private final Finish finish;
    private final String doc;
    private final @Nullable Reduction lifted;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final UnaryOperator<Expr> lift;

    Reduction(String torchName, Join join, Finish finish, String doc) {
        this.torchName = torchName;
        this.join = join;
        this.finish = finish;
        this.doc = doc;
        this.lifted = null;
        this.lift = UnaryOperator.identity();
    }

    /** Another reduction of lifted values. */
    Reduction(String torchName, Reduction lifted, UnaryOperator<Expr> lift, String doc) {
        this.torchName = torchName;
        this.join = lifted.join;
        this.finish = lifted.finish;
        this.doc = doc;
        this.lifted = lifted;
        this.lift = lift;
    }

    private static Expr zeroForNan(Expr values) {
        return values.dtype().isFloatingPoint()
                ? Expr.apply(Ops.WHERE, Expr.apply(Ops.ISNAN, values), Expr.literal(0), values)
                : values;
    }

    public String torchName() {
        return torchName;
    }

    public String doc() {
        return doc;
    }

    /** PyTorch's names of the arguments, with their defaults. */
    public String signature() {
        String others = isDeviation() ? ", unbiased=True, keepdim=False, correction=1" : ", keepdim=False";
        return "input, dim=None" + others + (isSum() || join == Join.PRODUCT ? ", dtype=None" : "");
    }

    /** The reduction of the {@linkplain #lift lifted} values that this is; itself where nothing is lifted. */
    public Reduction ofLifted() {
        return lifted == null ? this : lifted;
    }

    /** What is reduced in the place of values. */
    public Expr lift(Expr values) {
        return lift.apply(values);
    }

    public Join join() {
        return join;
    }

    public Finish finish() {
        return finish;
    }

    public boolean isSum() {
        return join == Join.SUM;
    }

    /** Whether it is the place of a value. */
    public boolean isPosition() {
        return finish == Finish.PLACE;
    }

    /** Whether it is made from squared deviations, which have a correction. */
    public boolean isDeviation() {
        return join == Join.MOMENTS;
    }

    /** Whether it only asks which values are zero. */
    public boolean isLogical() {
        return join == Join.AND || join == Join.OR;
    }

    /** Whether the reduction of no values at all has a value: 0 for a sum, 1 for a product, NaN for a mean. */
    public boolean acceptsEmpty() {
        return join != Join.MIN && join != Join.MAX && !isPosition();
    }

    /** The element of a result, as CUDA C. */
    public String finish(String acc, String divisor, boolean floating) {
        return floating || !isSum() ? finish.cuda.replace("A", acc).replace("N", divisor) : acc;
    }

    /**
     * The dtype of the result.
     *
     * @throws IllegalArgumentException with PyTorch's text, for a dtype that has no such result
     */
    public DType resultType(DType operand) {
        return switch (finish) {
            case SUM -> summed(operand);
            case VALUE -> isLogical() ? DType.BOOL : join == Join.PRODUCT ? summed(operand) : operand;
            case MEAN ->
                floating(
                        operand,
                        torchName
                                + "(): could not infer output dtype. Input dtype must be either a floating point or complex dtype."
                                + " Got: " + operand.typeName());
            case VARIANCE, DEVIATION -> floating(operand, "std and var only support floating point and complex dtypes");
            case PLACE -> {
                if (operand == DType.BOOL) {
                    throw new IllegalArgumentException(torchName + "(): does not support bool input");
                }
                yield DType.INT64;
            }
        };
    }

    private static DType summed(DType operand) {
        return operand.isFloatingPoint() ? operand : DType.INT64;
    }

    private static DType floating(DType operand, String refusal) {
        if (!operand.isFloatingPoint()) {
            throw new IllegalArgumentException(refusal);
        }
        return operand;
    }

    @Override
    public String toString() {
        return torchName;
    }
}
