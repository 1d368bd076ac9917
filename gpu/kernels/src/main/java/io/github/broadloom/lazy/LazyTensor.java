package io.github.broadloom.lazy;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.Threads;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.ValuesAndIndices;
import io.github.broadloom.expr.fluent.Arguments;
import io.github.broadloom.expr.fluent.Generator;
import io.github.broadloom.expr.fluent.InPlaceOps;
import io.github.broadloom.expr.fluent.LeftOperators;
import io.github.broadloom.expr.fluent.OpsBase;
import io.github.broadloom.expr.fluent.TensorOps;
import io.github.broadloom.nearest.NearestRows;
import io.github.broadloom.nearest.VectorMetric;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.TensorLike;
import io.github.broadloom.tensor.Tensors;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An expression over tensors of this machine. Operations type and shape it at once and compute nothing; {@link #compute}
 * computes it in as few passes as its reductions allow, each one fused kernel.
 *
 * <p>PyTorch computes at once, so an expression means the elements that its tensors had when it was built. Where one was
 * written to since, {@link #compute} refuses instead of computing something else; compute before the change, or build the
 * expression after it. A handle on a tensor itself, {@link #of(Tensor)}, always means the tensor as it is.
 */
public final class LazyTensor implements TensorOps<LazyTensor>, InPlaceOps<LazyTensor>, LeftOperators {
    /** What in-place operations write to; none where this stands for a value that is not computed. */
    private final @Nullable Tensor tensor;

    private Expr expr;

    private LazyTensor(Expr expr) {
        this.expr = expr;
        this.tensor = expr instanceof Input input && input.source() instanceof Tensor source ? source : null;
    }

    /** The tensor itself, as the beginning of an expression; it is not copied. In-place operations write to it. */
    public static LazyTensor of(Tensor tensor) {
        return new LazyTensor(Input.of(tensor));
    }

    /** Random numbers of a seed, drawn at once: the same that tensors on a cluster have of it. */
    public static Generator<LazyTensor> random(long seed) {
        return new Generator<>(seed, array -> of(array.read()));
    }

    /**
     * The expression that a text such as {@code "where(x > m, (x - m) / s, 0.1 * x)"} says; {@link #compute()} computes it.
     *
     * @param names by the names in the text what operators take: a {@link LazyTensor}, a {@link Tensor}, a Number or a Boolean
     * @throws io.github.broadloom.expr.parse.ExprSyntaxException where the text is no expression, with a caret under the place
     * @throws IllegalArgumentException with PyTorch's text, for shapes and dtypes that do not go together; and for a name of anything else
     */
    public static LazyTensor eval(String text, Map<String, ?> names) {
        Map<String, Expr> exprs = new LinkedHashMap<>();
        names.forEach((name, operand) -> exprs.put(name, local(operand)));
        return new LazyTensor(ParsedTexts.parse(text, exprs, LazyTensor::value));
    }

    private static Expr local(Object operand) {
        if (operand instanceof OpsBase<?> && !(operand instanceof LazyTensor)) {
            throw new IllegalArgumentException(
                    "Cannot use an operand: a " + operand.getClass().getSimpleName()
                            + " does not go into an expression of this machine; begin with it, or collect() it");
        }
        return Arguments.of(operand);
    }

    private static Tensor value(Expr expr) {
        return new LazyTensor(expr).compute().to(Device.CPU);
    }

    @Override
    public synchronized Expr expr() {
        if (tensor != null && expr instanceof Input input && input.isStale()) {
            expr = Input.of(tensor);
        }
        return expr;
    }

    @Override
    public Expr operand(Object other) {
        return local(other);
    }

    @Override
    public LazyTensor withExpr(Expr other) {
        return new LazyTensor(other);
    }

    @Override
    public Expr upTo(long end) {
        return Input.of(Tensors.arange(end));
    }

    @Override
    public Tensor values(Expr other) {
        return value(other);
    }

    @Override
    public Layout writtenLayout() {
        return tensor != null ? tensor.layout() : Layout.contiguous(shape());
    }

    @Override
    public synchronized LazyTensor overwrite(Expr value) {
        if (tensor != null) {
            InPlace.write(value, tensor);
        } else {
            expr = Expr.expand(value, shape().toArray());
        }
        return this;
    }

    /** Where its tensors are, and {@link #compute()} computes. */
    public Device device() {
        return expr().device();
    }

    /**
     * The same values on that device: its tensors are copied there now, where they are not there already, and {@link #compute()} computes there and leaves
     * its value there; {@link #compute(Device)} copies nothing beforehand.
     *
     * @throws IllegalStateException with the reason, where the device cannot be used here, or where a tensor was written to after the expression was built
     */
    @Override
    public LazyTensor to(Device target) {
        Map<Tensor, Tensor> there = new IdentityHashMap<>();
        for (Input input : expr().inputs()) {
            if (input.source() instanceof Tensor tensor) {
                input.requireUnchanged();
                there.computeIfAbsent(tensor, here -> here.to(target));
            }
        }
        if (there.entrySet().stream().allMatch(moved -> moved.getKey() == moved.getValue())) {
            return this;
        }
        return withExpr(expr().mapInputs(input ->
                input.source() instanceof Tensor tensor ? Input.of(Objects.requireNonNull(there.get(tensor))) : input));
    }

    /**
     * The value, computed where the tensors are, on the CPU by {@link Threads#local} threads: a fresh contiguous tensor.
     *
     * @throws IllegalStateException where a tensor was written to after the expression was built
     */
    public Tensor compute() {
        return compute(device());
    }

    /**
     * The value, computed on a device: a fresh contiguous tensor where the operands are. Operands in this JVM's memory go to a GPU, and the result
     * comes back, in pieces while others are computed; operands on a GPU are copied where another device shall compute.
     *
     * @param device {@link Device#AUTO} takes the one that needs less time
     * @throws IllegalStateException with the reason, when the device cannot be used here, or where a tensor was written to
     *     after the expression was built
     */
    public Tensor compute(Device device) {
        return Devices.backend(device).evaluate(expr(), Threads.local());
    }

    /** The distinct values, sorted, how often each of them is there, and which of them each element is. Computed at once, on the CPU. */
    public UniqueValues unique() {
        return unique(UniqueValues.Inverse.WITH);
    }

    /** As {@link #unique()}, with or without the place of each element among them. */
    public UniqueValues unique(UniqueValues.Inverse inverse) {
        return onCpu(value -> UniqueValues.of(value, inverse, Threads.local()));
    }

    /**
     * The distinct slices along a dimension in the order of their elements, how often each of them is there, and which of them each slice is. Computed at once, on the
     * CPU.
     *
     * @throws IllegalArgumentException with PyTorch's text, where slices have no elements
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    public UniqueValues unique(int dim) {
        return onCpu(value -> UniqueValues.of(value, dim, UniqueValues.Inverse.WITH, Threads.local()));
    }

    private <R> R onCpu(Function<Tensor, R> function) {
        if (tensor != null && tensor.device().isCpu()) {
            return function.apply(tensor);
        }
        Tensor value = compute();
        Tensor local = value.to(Device.CPU);
        try {
            return function.apply(local);
        } finally {
            local.releaseCopyOf(value);
            value.release();
        }
    }

    /**
     * The {@code k} nearest rows of another matrix to each row of this one, computed now, where {@link #compute()} computes. Which they are, and how far, is told by {@link
     * VectorMetric#rank} in float64, whatever the dtype; of equal distances the least index comes first, and NaN after all others. Every pair is looked at, in blocks that stay in
     * cache.
     *
     * @param other {@code [m, d]}, where this is {@code [n, d]}; of any dtype
     * @return distances, float64, and indices, int64, both {@code [n, k]}, the nearest first
     * @throws IllegalArgumentException with PyTorch's texts, where {@code k} is more than m, or the columns differ; and where one is no matrix
     */
    public ValuesAndIndices<Tensor> nearest(TensorLike other, int k, VectorMetric metric) {
        Expr others = local(other);
        NearestRows.check(shape(), others.shape(), k);
        return NearestRows.of(vectors(expr()), vectors(others), k, metric, device(), Threads.local());
    }

    private static Tensor vectors(Expr matrix) {
        Expr value = Expr.cast(matrix, NearestRows.dtype(matrix.dtype()));
        return Devices.backend(matrix.device()).evaluate(value, Threads.local()).to(Device.CPU);
    }

    /**
     * How {@link #compute()} would compute this: the expression as a tree, then each pass, and whether its kernel is compiled
     * already; the figures of the kernel cache last. Computes and compiles nothing.
     */
    public String explain() {
        return explain(Backend.Detail.PLAN);
    }

    /** As {@link #explain()}, with the source of the kernels if wanted. */
    public String explain(Backend.Detail detail) {
        return explain(device(), detail);
    }

    /** As {@link #explain(Backend.Detail)}, for {@link #compute(Device)}. */
    public String explain(Device device, Backend.Detail detail) {
        Backend backend = Devices.backend(device);
        return ExprTree.print(expr()) + "on " + device + ":\n"
                + backend.explain(expr(), detail).indent(2)
                + backend.kernelStats().describe() + "\n";
    }

    /** The dtype and shape: printing computes nothing. {@code compute().toString()} prints the values. */
    @Override
    public String toString() {
        return "LazyTensor(shape=" + shape() + ", dtype=" + dtype() + ")";
    }
}
