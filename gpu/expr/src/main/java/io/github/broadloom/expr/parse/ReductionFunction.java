package io.github.broadloom.expr.parse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Interpolation;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.Reductions;
import io.github.broadloom.expr.ops.LineOp.Kind;
import io.github.broadloom.expr.ops.Reduction;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A function of the string language that takes dimensions: a reduction, or one of whole lines.
 *
 * @param arguments PyTorch's names of those behind the first, in its order
 * @param signature all arguments with their defaults, for people
 * @param doc one line for the documentation
 * @param builder makes the expression of the values of a call
 */
record ReductionFunction(
        String name, List<String> arguments, String signature, String doc, Function<ReductionValues, Expr> builder) {

    private static final String DIMS = "input, dim=None, keepdim=False";

    private static final Map<String, ReductionFunction> BY_NAME = table(
            of("sum", DIMS + ", dtype=None", "The sum.", call -> plain(call, Reduction.SUM)),
            of("mean", DIMS + ", dtype=None", "The arithmetic mean.", call -> plain(call, Reduction.MEAN)),
            of("prod", DIMS + ", dtype=None", "The product.", call -> plain(call, Reduction.PROD)),
            of("amin", DIMS, "The smallest value, or NaN where there is one.", call -> plain(call, Reduction.AMIN)),
            of("amax", DIMS, "The greatest value, or NaN where there is one.", call -> plain(call, Reduction.AMAX)),
            of("all", DIMS, "Whether no value is zero; of uint8 as uint8.", call -> plain(call, Reduction.ALL)),
            of("any", DIMS, "Whether a value is not zero; of uint8 as uint8.", call -> plain(call, Reduction.ANY)),
            of(
                    "count_nonzero",
                    "input, dim=None",
                    "How many values are not zero.",
                    call -> Reductions.countNonzero(call.operand(), call.keepDim(), call.dims())),
            of(
                    "argmin",
                    DIMS,
                    "Where the smallest value is, or the first NaN; of several the first.",
                    call -> plain(call, Reduction.ARGMIN)),
            of(
                    "argmax",
                    DIMS,
                    "Where the greatest value is, or the first NaN; of several the first.",
                    call -> plain(call, Reduction.ARGMAX)),
            of(
                    "var",
                    "input, dim=None, unbiased=True, keepdim=False, correction=1",
                    "The squared deviations from the mean over their count less the correction.",
                    call -> deviation(call, Reduction.VAR)),
            of(
                    "std",
                    "input, dim=None, unbiased=True, keepdim=False, correction=1",
                    "The square root of the variance.",
                    call -> deviation(call, Reduction.STD)),
            of(
                    "norm",
                    "input, p='fro', dim=None, keepdim=False",
                    "The p-th root of the sum of |x| ** p; 'fro' is p = 2, 'nuc' the sum of a matrix's singular values.",
                    call -> call.hasText("p")
                            ? Reductions.norm(call.operand(), call.text("p", "fro"), call.keepDim(), call.dims())
                            : Reductions.norm(call.operand(), call.real("p", 2), call.keepDim(), call.dims())),
            of(
                    "logsumexp",
                    DIMS,
                    "The logarithm of the sum of the exponentials.",
                    call -> Reductions.logsumexp(call.operand(), call.keepDim(), call.dims())),
            of(
                    "nansum",
                    DIMS,
                    "The sum of what is not NaN.",
                    call -> Reductions.nansum(call.operand(), call.keepDim(), call.dims())),
            of(
                    "nanmean",
                    DIMS,
                    "The mean of what is not NaN.",
                    call -> Reductions.nanmean(call.operand(), call.keepDim(), call.dims())),
            of(
                    "softmax",
                    "input, dim, dtype=None",
                    "The exponentials over their sum.",
                    call -> Reductions.softmax(call.converted(), call.dim())),
            of(
                    "log_softmax",
                    "input, dim, dtype=None",
                    "The logarithm of the softmax.",
                    call -> Reductions.logSoftmax(call.converted(), call.dim())),
            of("cumsum", "input, dim, dtype=None", "The running sums.", call -> running(call, Kind.CUMSUM)),
            of("cumprod", "input, dim, dtype=None", "The running products.", call -> running(call, Kind.CUMPROD)),
            of(
                    "median",
                    DIMS,
                    "The middle value, of two the lower one; NaN where there is one.",
                    call -> median(call, Kind.MEDIAN)),
            of("nanmedian", DIMS, "The median of what is not NaN.", call -> median(call, Kind.NANMEDIAN)),
            of(
                    "quantile",
                    "input, q, dim=None, keepdim=False, interpolation='linear'",
                    "The value below which a part q lies; NaN where there is one. Several q, [0.25, 0.75] or a tensor, make a leading dimension.",
                    call -> quantile(call, Kind.QUANTILE)),
            of(
                    "nanquantile",
                    "input, q, dim=None, keepdim=False, interpolation='linear'",
                    "The quantile of what is not NaN.",
                    call -> quantile(call, Kind.NANQUANTILE)));

    private static ReductionFunction of(
            String name, String signature, String doc, Function<ReductionValues, Expr> builder) {
        List<String> all = List.of(signature.replaceAll("=[^,]*", "").split(", "));
        return new ReductionFunction(name, all.subList(1, all.size()), signature, doc, builder);
    }

    private static Map<String, ReductionFunction> table(ReductionFunction... rows) {
        Map<String, ReductionFunction> table = new LinkedHashMap<>();
        for (ReductionFunction row : rows) {
            table.put(row.name(), row);
        }
        return Collections.unmodifiableMap(table);
    }

    /** The function of that name. */
    static @Nullable ReductionFunction find(String name) {
        return BY_NAME.get(name);
    }

    /** All functions, in the order of the documentation. */
    static List<ReductionFunction> all() {
        return List.copyOf(BY_NAME.values());
    }

    private static Expr plain(ReductionValues call, Reduction reduction) {
        DType dtype = call.dtype();
        return dtype == null
                ? Reductions.reduce(reduction, call.operand(), call.keepDim(), call.dims())
                : Reductions.inDType(reduction, call.operand(), dtype, call.keepDim(), call.dims());
    }

    private static Expr deviation(ReductionValues call, Reduction reduction) {
        call.checkOne("unbiased", "correction");
        double correction = call.real("correction", call.flag("unbiased", true) ? 1 : 0);
        return Expr.reduce(reduction, call.operand(), call.dims(), call.keepDim() == KeepDim.KEEP, correction);
    }

    private static Expr running(ReductionValues call, Kind kind) {
        DType dtype = call.dtype();
        if (dtype != null) {
            return Lines.runningIn(dtype, kind, call.operand(), call.dim());
        }
        return kind == Kind.CUMSUM
                ? Lines.cumsum(call.operand(), call.dim())
                : Lines.cumprod(call.operand(), call.dim());
    }

    /** Its values alone: an expression is one tensor. */
    private static Expr median(ReductionValues call, Kind kind) {
        return call.dims().length == 0
                ? Lines.median(kind, call.operand())
                : Lines.median(kind, call.operand(), call.dim(), call.keepDim()).values();
    }

    private static Expr quantile(ReductionValues call, Kind kind) {
        Interpolation interpolation = Interpolation.of(call.text("interpolation", "linear"));
        Lines.Quantile quantile = new Lines.Quantile(kind, call.optionalDim(), call.keepDim(), interpolation);
        Object q = call.required("q");
        if (q instanceof Expr tensor) {
            return quantile.at(call.operand(), tensor);
        }
        return q instanceof double[] several
                ? quantile.at(call.operand(), several)
                : quantile.at(call.operand(), (Double) q);
    }
}
