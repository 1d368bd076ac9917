package io.github.broadloom.expr.parse;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.BinnedValues;
import io.github.broadloom.expr.Compositions;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Groups;
import io.github.broadloom.expr.Histograms;
import io.github.broadloom.expr.Interpolation;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.MaskOps;
import io.github.broadloom.expr.NanEquality;
import io.github.broadloom.expr.Order;
import io.github.broadloom.expr.Picking;
import io.github.broadloom.expr.Products;
import io.github.broadloom.expr.Reductions;
import io.github.broadloom.expr.Scattering;
import io.github.broadloom.expr.Unsized;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.expr.Windows;
import io.github.broadloom.expr.ops.LineOp.Kind;
import io.github.broadloom.expr.ops.Reduction;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** The functions of the string language that are no rows of the table of operations. */
final class Functions {
    private static final String DIMS = "input, dim=None, keepdim=False";
    private static final String DIM = "input, dim, dtype=None";
    private static final String SORT = "input, dim=-1, descending=False, stable=False";
    private static final String INDICES = " In a text `.indices` behind the call says where.";
    private static final String QUANTILE = "input, q, dim=None, keepdim=False, interpolation='linear'";

    private Functions() {}

    /** Made of rows of the table; see {@link Compositions}. */
    static final FunctionTable<CallValues> COMPOSITIONS = new FunctionTable<>();

    static {
        composition("clamp", "input, min=None, max=None", "Held between bounds, of which either may be missing.")
                .by(call -> Compositions.clamp(call.expr(0), call.orNull(1), call.orNull(2)));
        composition("div", "input, other, rounding_mode=None", "The quotient; rounded with 'trunc' or 'floor'.")
                .by(call -> Compositions.div(call.expr(0), call.expr(1), call.text(2)));
        composition("rsub", "input, other", "The second less the first.")
                .by(call -> Compositions.rsub(call.expr(0), call.expr(1)));
        ofOne("positive", "The operand itself; bools are refused.", Compositions::positive);
        composition(
                        "round",
                        "input, decimals=None",
                        "Rounded to the nearest, halves to even; with decimals x times a power of ten, over that power.")
                .by(call -> Compositions.round(call.expr(0), call.integer(1)));
        ofOne("deg2rad", "Degrees as radians.", Compositions::deg2rad);
        ofOne("rad2deg", "Radians as degrees.", Compositions::rad2deg);
        composition(
                        "isclose",
                        "input, other, rtol=1e-05, atol=1e-08, equal_nan=False",
                        "Whether |input - other| is at most atol + rtol * |other|.")
                .by(Functions::isclose);
        composition("logit", "input, eps=None", "log(x / (1 - x)), of x held between eps and 1 - eps if given.")
                .by(call -> Compositions.logit(call.expr(0), call.has(1) ? (Double) call.real(1, 0) : null));
        composition("gelu", "input, approximate='none'", "The value times the normal distribution function at it.")
                .by(call -> Compositions.gelu(call.expr(0), call.text(1, "none")));
        composition("hardtanh", "input, min_val=-1, max_val=1", "Held between two numbers.")
                .by(call -> Compositions.hardtanh(call.expr(0), call.number(1, -1), call.number(2, 1)));
        ofOne("relu6", "Held between 0 and 6.", Compositions::relu6);
        ofOne("softsign", "x / (1 + |x|).", Compositions::softsign);
        ofOne("tanhshrink", "x - tanh(x).", Compositions::tanhshrink);
        ofOne("selu", "elu with the constants that keep mean and variance.", Compositions::selu);
        composition("celu", "input, alpha=1.0", "elu(x, alpha) of x / alpha below zero.")
                .by(call -> Compositions.celu(call.expr(0), call.real(1, 1)));
    }

    private static FunctionTable.Draft<CallValues> composition(String name, String signature, String doc) {
        return COMPOSITIONS.add(name, signature, doc);
    }

    private static void ofOne(String name, String doc, UnaryOperator<Expr> builder) {
        composition(name, "input", doc).by(call -> builder.apply(call.expr(0)));
    }

    private static Expr isclose(CallValues call) {
        NanEquality nans = call.flag(4) ? NanEquality.EQUAL : NanEquality.DIFFERENT;
        return Compositions.isclose(call.expr(0), call.expr(1), call.real(2, 1e-5), call.real(3, 1e-8), nans);
    }

    /** Of matrices and vectors; see {@link Products}. */
    static final FunctionTable<CallValues> PRODUCTS = new FunctionTable<>();

    static {
        String matmul =
                "The matrix product, also written `input @ other`; of more dimensions those of the matrices in the last"
                        + " two, the others broadcast.";
        product("matmul", "input, other", matmul, Products::matmul);
        product("mm", "input, mat2", "The product of two matrices.", Products::mm);
        product("bmm", "input, mat2", "The products of as many matrices as matrices.", Products::bmm);
        product("mv", "input, vec", "The product of a matrix and a vector.", Products::mv);
        product("dot", "input, tensor", "The sum of the products of two vectors.", Products::dot);
    }

    private static void product(String name, String signature, String doc, BinaryOperator<Expr> builder) {
        PRODUCTS.add(name, signature, doc).by(call -> builder.apply(call.expr(0), call.expr(1)));
    }

    /** By tensors of integers and masks; see {@link Picking}. */
    static final FunctionTable<CallValues> PICKING = new FunctionTable<>();

    static {
        picking("index_select", "input, dim, index", "The indices of a dimension that a vector of integers names.")
                .by(call -> Picking.indexSelect(call.expr(0), dim(call, 1), call.expr(2)));
        picking(
                        "gather",
                        "input, dim, index",
                        "Along a dimension the elements at the places that a tensor of the result's shape names.")
                .by(call -> Picking.gather(call.expr(0), dim(call, 1), call.expr(2)));
        picking("take_along_dim", "input, indices, dim=None", "The same, where other dimensions broadcast.")
                .by(call -> call.has(2)
                        ? Picking.takeAlongDim(call.expr(0), call.expr(1), dim(call, 2))
                        : Picking.takeAlongDim(line(call.expr(0)), line(call.expr(1)), 0));
        picking("take", "input, index", "Those of all elements, in row-major order, that a tensor names.")
                .by(call -> Picking.take(call.expr(0), call.expr(1)));
        picking("masked_fill", "input, mask, value", "A number where a mask is true, else the element.")
                .by(call -> MaskOps.maskedFill(call.expr(0), call.expr(1), call.expr(2)));
        picking(
                        "masked_scatter",
                        "input, mask, source",
                        "The elements of another tensor, one after the other, where a mask is true.")
                .by(call -> MaskOps.maskedScatter(call.expr(0), call.expr(1), call.expr(2), call.values()));
        picking("isin", "elements, test_elements", "Whether an element is among those of another tensor.")
                .by(call -> Picking.isin(call.expr(0), call.expr(1)));
        picking(
                        "searchsorted",
                        "sorted_sequence, input, right=False",
                        "How many values of each sorted line come before an element; with right, those that are equal, too.")
                .by(call -> Picking.searchsorted(call.expr(0), call.expr(1), call.flag(2)));
        picking("bucketize", "input, boundaries, right=False", "The same in one line for all elements.")
                .by(call -> Picking.bucketize(call.expr(0), call.expr(1), call.flag(2)));
        picking("diff", "input, n=1, dim=-1", "The differences of neighbours, taken n times.")
                .by(call -> Picking.diff(call.expr(0), call.number(1, 1).longValue(), call.has(2) ? dim(call, 2) : -1));
    }

    static {
        picking(
                        "groupby_reduce",
                        "input, labels, groups, dim=0, func='sum', q=0.5, weights=None",
                        "A reduction of each group of indices: sum, prod, mean, nansum, nanmean, var, std, min, max, count, first, last, any, all, median or quantile; where indices have weights, sum, mean, var or std.")
                .by(Functions::grouped);
    }

    static {
        picking(
                        "rolling",
                        "input, dim, window, func='mean'",
                        "A reduction of the values up to each, so many at a time: sum, mean, min, max, var or std; NaN where there are fewer before.")
                .by(call -> Windows.rolling(
                        call.expr(0), dim(call, 1), call.number(2, 1).longValue(), call.text(3, "mean")));
    }

    static {
        picking(
                        "scatter_reduce",
                        "input, dim, index, src, reduce='sum', include_self=True",
                        "Values joined with those at the places that an index names: sum, prod, mean, amax or amin.")
                .by(call -> Scattering.scatterReduce(
                        call.expr(0),
                        dim(call, 1),
                        call.expr(2),
                        call.expr(3),
                        call.text(4, "sum"),
                        !call.has(5) || call.flag(5)));
        picking(
                        "scatter",
                        "input, dim, index, src",
                        "Values in the place of those that an index names; of several the last.")
                .by(call -> Scattering.scatter(call.expr(0), dim(call, 1), call.expr(2), call.expr(3)));
        picking("index_add", "input, dim, index, source, alpha=1", "Slices added to those that a vector names.")
                .by(call ->
                        Scattering.indexAdd(call.expr(0), dim(call, 1), call.expr(2), call.expr(3), call.orNull(4)));
    }

    static {
        picking(
                        "histc",
                        "input, bins=100, min=0, max=0",
                        "How many values are in each of some bins of equal width between two ends, or between the least value and the greatest.")
                .by(call -> Histograms.histc(
                        call.expr(0), call.number(1, 100).longValue(), call.real(2, 0), call.real(3, 0)));
    }

    static {
        picking(
                        "histogram",
                        "input, bins=100, min=None, max=None, weight=None, density=False",
                        "What is in each bin: of a number of bins of equal width, between two ends or the least value and the greatest, or of those between the edges that a vector has.")
                .by(Functions::histogram);
    }

    private static Expr histogram(CallValues call) {
        Expr bins = call.orNull(1);
        BinnedValues histogram = bins != null && !(bins instanceof Literal)
                ? BinnedValues.of(call.expr(0), bins)
                : call.has(2) || call.has(3)
                        ? BinnedValues.of(
                                call.expr(0), call.number(1, 100).longValue(), call.real(2, 0), call.real(3, 0))
                        : BinnedValues.of(call.expr(0), call.number(1, 100).longValue());
        Expr weight = call.orNull(4);
        BinnedValues weighted = weight == null ? histogram : histogram.weighted(weight);
        return call.flag(5) ? weighted.density() : weighted.hist();
    }

    private static Expr grouped(CallValues call) {
        Groups groups =
                new Groups(call.expr(0), call.expr(1), call.number(2, 0).longValue(), call.has(3) ? dim(call, 3) : 0);
        String name = call.text(4, "sum");
        Expr weights = call.orNull(6);
        if (weights != null) {
            return groups.weighted(weights).reduce(name);
        }
        return name.equals("quantile") ? groups.quantile(call.real(5, 0.5), Interpolation.LINEAR) : groups.reduce(name);
    }

    private static FunctionTable.Draft<CallValues> picking(String name, String signature, String doc) {
        return PICKING.add(name, signature, doc);
    }

    private static Expr line(Expr x) {
        return ViewOps.reshape(x, x.shape().numel());
    }

    private static int dim(CallValues call, int place) {
        return ViewOpCall.clamped(Objects.requireNonNull(call.integer(place)));
    }

    /** Where elements are; see {@link ViewOps}. */
    static final FunctionTable<ViewOpCall> VIEW_OPS = new FunctionTable<>();

    static {
        viewOp("permute", "input, *dims", "The dimensions in another order.")
                .by(call -> ViewOps.permute(call.operand(), call.dims("dims")));
        viewOp("transpose swapaxes swapdims", "input, dim0, dim1", "Two dimensions exchanged.")
                .by(call -> ViewOps.transpose(call.operand(), call.dim("dim0", 0), call.dim("dim1", 0)));
        viewOp("t", "input", "The transpose of a matrix.").by(call -> ViewOps.t(call.operand()));
        viewOp(
                        "movedim moveaxis",
                        "input, source, destination",
                        "Dimensions moved to other places; the others keep their order.")
                .by(call -> ViewOps.movedim(call.operand(), call.dims("source"), call.dims("destination")));
        viewOp("unsqueeze", "input, dim", "A new dimension of size one.")
                .by(call -> ViewOps.unsqueeze(call.operand(), call.dim("dim", 0)));
        viewOp("squeeze", "input, dim=None", "Without the dimensions of size one, or without those of these that are.")
                .by(Functions::squeeze);
        viewOp("reshape", "input, *shape", "The same elements in another shape; one size may be -1.")
                .by(call ->
                        ViewOps.reshape(Unsized.ofElements(call.operand(), call.longs("shape")), call.longs("shape")));
        viewOp("view", "input, *shape", "The same, but a tensor of which only a copy could have the shape is refused.")
                .by(call -> ViewOps.view(Unsized.ofElements(call.operand(), call.longs("shape")), call.longs("shape")));
        viewOp("flatten", "input, start_dim=0, end_dim=-1", "Several dimensions as one.")
                .by(call -> ViewOps.flatten(call.operand(), call.dim("start_dim", 0), call.dim("end_dim", -1)));
        viewOp("unflatten", "input, dim, *sizes", "One dimension as several; one size may be -1.")
                .by(call -> unflatten(call.operand(), call.dim("dim", 0), call.longs("sizes")));
        viewOp("flip", "input, *dims", "The order along these dimensions reversed.")
                .by(call -> ViewOps.flip(call.operand(), call.dims("dims")));
        viewOp("narrow", "input, dim, start, length", "Some indices of one dimension.")
                .by(call -> narrow(call.operand(), call.dim("dim", 0), call.index("start"), call.index("length")));
        viewOp("select", "input, dim, index", "One index of a dimension, which goes away.")
                .by(call -> select(call.operand(), call.dim("dim", 0), call.index("index")));
        viewOp("unfold", "input, dimension, size, step", "Windows of a dimension, as a new last one.")
                .by(call -> ViewOps.unfold(
                        call.operand(), call.dim("dimension", 0), call.index("size"), call.index("step")));
        viewOp("expand broadcast_to", "input, *size", "Dimensions of size one repeated; -1 keeps a size.")
                .by(call -> Expr.expand(call.operand(), call.longs("size")));
        viewOp(
                        "pad",
                        "input, pad, mode='constant', value=0",
                        "More indices before and behind those of dimensions, of the last dimension first: a value, or with the mode 'reflect', 'replicate' or 'circular' what stands there.")
                .by(call -> Windows.pad(
                        call.operand(),
                        call.longs("pad"),
                        Windows.Padding.of(call.text("mode", "constant")),
                        call.number("value", 0L)));
        viewOp("repeat", "input, *repeats", "The whole repeated along each dimension.")
                .by(call -> ViewOps.repeat(call.operand(), call.longs("repeats")));
        viewOp("tile", "input, *dims", "The same, where counts for leading dimensions may be left out.")
                .by(call -> ViewOps.tile(call.operand(), call.longs("dims")));
    }

    private static Expr squeeze(ViewOpCall call) {
        Expr x = Unsized.requireSizes(call.operand(), "squeeze");
        return call.has("dim") ? ViewOps.squeeze(x, call.dims("dim")) : ViewOps.squeeze(x);
    }

    private static Expr unflatten(Expr x, int dim, long... sizes) {
        long size = LongStream.of(sizes).map(each -> Math.max(1, each)).reduce(1, Math::multiplyExact);
        return ViewOps.unflatten(Unsized.ofSize(x, dim, size), dim, sizes);
    }

    private static Expr narrow(Expr x, int dim, long start, long length) {
        long size = Math.max(1, start < 0 ? Math.max(-start, length) : start + length);
        return ViewOps.narrow(Unsized.ofSize(x, dim, size), dim, start, length);
    }

    private static Expr select(Expr x, int dim, long index) {
        return ViewOps.select(Unsized.reaching(x, dim, index), dim, index);
    }

    private static FunctionTable.Draft<ViewOpCall> viewOp(String names, String signature, String doc) {
        return VIEW_OPS.add(names, signature, doc);
    }

    /** What takes dimensions: reductions, and functions of whole lines. */
    static final FunctionTable<ReductionCall> REDUCTIONS = new FunctionTable<>();

    static {
        for (Reduction row : Reduction.values()) {
            reduction(row.torchName(), row.signature(), row.doc())
                    .by(call -> row.isDeviation() ? deviation(call, row) : plain(call, row));
        }
        reduction("count_nonzero", "input, dim=None", "How many values are not zero.")
                .by(call -> Reductions.countNonzero(call.operand(), call.keepDim(), call.dims()));
        reduction(
                        "norm",
                        "input, p='fro', dim=None, keepdim=False",
                        "The p-th root of the sum of |x| ** p; 'fro' is p = 2, 'nuc' the sum of a matrix's singular values.")
                .by(call -> call.hasText("p")
                        ? Reductions.norm(call.operand(), call.text("p", "fro"), call.keepDim(), call.dims())
                        : Reductions.norm(call.operand(), call.real("p", 2), call.keepDim(), call.dims()));
        reduction("logsumexp", DIMS, "The logarithm of the sum of the exponentials.")
                .by(call -> Reductions.logsumexp(call.operand(), call.keepDim(), call.dims()));
        reduction("nanmean", DIMS, "The mean of what is not NaN.")
                .by(call -> Reductions.nanmean(call.operand(), call.keepDim(), call.dims()));
        reduction("softmax", DIM, "The exponentials over their sum.")
                .by(call -> Reductions.softmax(call.converted(), call.dim()));
        reduction("log_softmax", DIM, "The logarithm of the softmax.")
                .by(call -> Reductions.logSoftmax(call.converted(), call.dim()));
        reduction("cumsum", DIM, "The running sums.").by(call -> running(call, Kind.CUMSUM));
        reduction("cumprod", DIM, "The running products.").by(call -> running(call, Kind.CUMPROD));
        reduction("median", DIMS, "The middle value, of two the lower one; NaN where there is one." + INDICES)
                .by(call -> median(call, Kind.MEDIAN));
        reduction("nanmedian", DIMS, "The median of what is not NaN." + INDICES)
                .by(call -> median(call, Kind.NANMEDIAN));
        reduction(
                        "quantile",
                        QUANTILE,
                        "The value below which a part q lies; NaN where there is one. Several q, [0.25, 0.75] or a tensor, make a leading dimension.")
                .by(call -> quantile(call, Kind.QUANTILE));
        reduction("nanquantile", QUANTILE, "The quantile of what is not NaN.")
                .by(call -> quantile(call, Kind.NANQUANTILE));
        reduction(
                        "topk",
                        "input, k, dim=-1, largest=True, sorted=True",
                        "The k greatest values, or the smallest, in order; of equal ones the first first." + INDICES)
                .by(call -> call.part(Lines.topk(
                        Unsized.ofSize(call.operand(), call.lastDim(), Math.max(1, call.integer("k"))),
                        call.integer("k"),
                        Order.of(call.flag("largest", true)),
                        call.lastDim())));
        reduction(
                        "sort",
                        SORT,
                        "All values in order, NaN as the greatest; equal ones keep theirs, stable or not." + INDICES)
                .by(call -> call.part(sorted(call)));
        reduction("argsort", SORT, "Where the values stand that sort puts in order.")
                .by(call -> sorted(call).indices());
        reduction(
                        "kthvalue",
                        "input, k, dim=-1, keepdim=False",
                        "The k-th smallest value, counted from 1; equal ones are counted from the first." + INDICES)
                .by(call -> call.part(Lines.kthvalue(
                        Unsized.ofSize(call.operand(), call.lastDim(), Math.max(1, call.integer("k"))),
                        call.integer("k"),
                        call.keepDim(),
                        call.lastDim())));
    }

    private static FunctionTable.Draft<ReductionCall> reduction(String name, String signature, String doc) {
        return REDUCTIONS.add(name, signature, doc);
    }

    private static Expr plain(ReductionCall call, Reduction reduction) {
        DType dtype = call.dtype();
        return dtype == null
                ? Expr.reduce(reduction, call.operand(), call.keepDim(), call.dims())
                : Reductions.inDType(reduction, call.operand(), dtype, call.keepDim(), call.dims());
    }

    private static Expr deviation(ReductionCall call, Reduction reduction) {
        call.checkOne("unbiased", "correction");
        double correction = call.real("correction", call.flag("unbiased", true) ? 1 : 0);
        return Expr.reduce(reduction, call.operand(), correction, call.keepDim(), call.dims());
    }

    private static Expr running(ReductionCall call, Kind kind) {
        DType dtype = call.dtype();
        return dtype == null
                ? Lines.running(kind, call.operand(), call.dim())
                : Lines.runningIn(dtype, kind, call.operand(), call.dim());
    }

    /** Along a dimension its values, or its indices: an expression is one tensor. */
    private static Expr median(ReductionCall call, Kind kind) {
        return call.dims().length == 0
                ? Lines.median(kind, call.operand())
                : call.part(Lines.median(kind, call.operand(), call.keepDim(), call.dim()));
    }

    private static ValuesAndIndices<Expr> sorted(ReductionCall call) {
        return Lines.sort(call.operand(), Order.of(call.flag("descending", false)), call.lastDim());
    }

    private static Expr quantile(ReductionCall call, Kind kind) {
        Interpolation interpolation = Interpolation.of(call.text("interpolation", "linear"));
        Lines.Quantile quantile = new Lines.Quantile(kind, interpolation, call.keepDim(), call.optionalDim());
        Object q = call.required("q");
        if (q instanceof Expr tensor) {
            return quantile.at(call.operand(), tensor);
        }
        return q instanceof double[] several
                ? quantile.at(call.operand(), several)
                : quantile.at(call.operand(), (Double) q);
    }
}
