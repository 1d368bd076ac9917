package io.github.broadloom.spark;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Failures;
import io.github.broadloom.exec.read.LocalSource;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprSyntaxException;
import io.github.broadloom.format.ReadOptions;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.random.Distribution;
import io.github.broadloom.random.RandomArray;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * What the Python package asks of this JVM, beside the methods of {@link Broadloom} and {@link DistributedTensor}. Elements travel as the bytes of npy
 * files, through an {@link ArraySocket}, never as lists.
 */
public final class PythonGateway {
    /** Up to here a job takes longer than what it computes. */
    private static final long LOCAL_BYTES = 1 << 20;

    private PythonGateway() {}

    /** Waits for an array that Python brings. */
    public static ArraySocket receive() throws IOException {
        return ArraySocket.receiving();
    }

    /**
     * The array that Python brought.
     *
     * @param chunks along the leading dimension; 0 cuts by bytes
     */
    public static DistributedTensor tensor(Broadloom broadloom, ArraySocket array, int chunks) throws IOException {
        return tensor(broadloom, array.passed(), chunks);
    }

    /** A tensor of this JVM in as many chunks; 0 cuts by bytes. */
    public static DistributedTensor tensor(Broadloom broadloom, Tensor tensor, int chunks) {
        return chunks == 0 ? broadloom.tensor(tensor) : broadloom.tensor(tensor, chunks);
    }

    /** A file or several, as {@link Broadloom#read(String, ReadOptions)}; the format may be empty. */
    public static DistributedTensor read(
            Broadloom broadloom, String address, String format, String join, int dim, String manifest)
            throws IOException {
        ReadOptions options = ReadOptions.DEFAULT.manifest(ManifestMode.valueOf(manifest));
        options = format.isEmpty() ? options : options.format(format);
        return broadloom.read(
                address,
                ReadOptions.Join.valueOf(join) == ReadOptions.Join.STACK
                        ? options.stackedAlong(dim)
                        : options.concatenatedAlong(dim));
    }

    public static DistributedTensor rechunk(DistributedTensor x, List<? extends Number> sizes) {
        return x.rechunk(sizes.stream().mapToLong(Number::longValue).toArray());
    }

    /**
     * A tensor that is made.
     *
     * @param numbers the value of {@code full}, the bounds and the step of {@code arange}, the bounds of {@code linspace}; of random numbers the seed, the stream and what their
     *     distribution takes
     */
    public static DistributedTensor made(
            Broadloom broadloom, String name, String dtypeName, List<? extends Number> sizes, List<?> numbers) {
        DType dtype = DType.of(dtypeName);
        long[] shape = sizes.stream().mapToLong(Number::longValue).toArray();
        double[] floats = new double[numbers.size()];
        long[] whole = new long[numbers.size()];
        for (int i = 0; i < whole.length; i++) {
            floats[i] = numbers.get(i) instanceof Number number ? number.doubleValue() : 0;
            whole[i] = numbers.get(i) instanceof Number number ? number.longValue() : 0;
        }
        return switch (name) {
            case "full" -> broadloom.full(Shape.of(shape), numbers.get(0), dtype);
            case "arange" ->
                numbers.stream().anyMatch(Double.class::isInstance)
                        ? broadloom.arange(floats[0], floats[1], floats[2], dtype)
                        : broadloom.arange(whole[0], whole[1], whole[2], dtype);
            case "linspace" -> broadloom.linspace(floats[0], floats[1], shape[0], dtype);
            case "eye" -> broadloom.eye(shape[0], shape[1], dtype);
            default -> {
                Distribution distribution = switch (name) {
                    case "rand" -> new Distribution.Uniform();
                    case "normal" -> new Distribution.Normal(floats[2], floats[3]);
                    case "randint" -> new Distribution.Integers(whole[2], whole[3]);
                    case "bernoulli" -> new Distribution.Bernoulli(floats[2]);
                    default -> throw new IllegalArgumentException("Cannot make a tensor: no '" + name + "'");
                };
                yield broadloom.of(
                        new RandomArray(whole[0], Math.toIntExact(whole[1]), distribution, dtype, Shape.of(shape)));
            }
        };
    }

    /** The value of a text in which {@code _0} is the first operand, {@code _1} the second, and so on. */
    public static DistributedTensor call(Broadloom broadloom, String text, List<DistributedTensor> operands) {
        Map<String, Expr> names = new LinkedHashMap<>();
        operands.forEach(operand -> names.put("_" + names.size(), operand.expr()));
        try {
            return broadloom.of(broadloom.parsed(text, names), null);
        } catch (ExprSyntaxException refused) { // nobody wrote that text, so that nobody wants a caret under it
            throw refused.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalArgumentException(refused.sentence(), refused);
        }
    }

    /** PyTorch's name of the dtype; py4j finds no methods of interfaces. */
    public static String dtype(DistributedTensor x) {
        return x.dtype().torchName();
    }

    /** The sizes of the shape. */
    public static List<Long> shape(DistributedTensor x) {
        return LongStream.of(x.shape().toArray()).boxed().toList();
    }

    /** Computes the elements, and waits for Python to take them. */
    public static ArraySocket send(DistributedTensor x) throws IOException {
        return ArraySocket.of(elements(x));
    }

    /** The elements: of a bfloat16, which npy does not know, as the float32 that they are. */
    public static Tensor elements(DistributedTensor x) {
        DistributedTensor told = x.dtype() == DType.BFLOAT16 ? x.to(DType.FLOAT32) : x;
        return local(told).map(LazyTensor::compute).orElseGet(told::collect);
    }

    /** The elements of several tensors, computed by one plan; each waits for {@link #send}. */
    public static List<DistributedTensor> collectAll(Broadloom broadloom, List<DistributedTensor> tensors) {
        return broadloom.collectAll(tensors.toArray(DistributedTensor[]::new)).stream()
                .map(broadloom::tensor)
                .toList();
    }

    /** How {@link #elements} computes the elements. */
    public static String explain(DistributedTensor x) {
        return local(x).map(lazy -> "On the driver, without a job.\n" + lazy.explain())
                .orElseGet(x::explain);
    }

    /** What is made of arrays of the driver alone, and nowhere large: it is computed there, with the bits that tasks would give it. */
    private static Optional<LazyTensor> local(DistributedTensor x) {
        Expr expr = x.expr();
        if (expr.inputs().isEmpty() || expr.postOrder().stream().anyMatch(node -> !isLocal(node))) {
            return Optional.empty();
        }
        Expr local = expr.mapInputs(input -> Input.of(((LocalSource) input.source()).unchanged()));
        return Optional.of(LazyTensor.of(((LocalSource) expr.inputs().get(0).source()).tensor())
                .withExpr(local));
    }

    private static boolean isLocal(Expr node) {
        boolean isArray =
                !(node instanceof Input input) || input.source() instanceof LocalSource source && source.grid() == null;
        return isArray && node.shape().numel() * node.dtype().bytes() <= LOCAL_BYTES;
    }

    /** The name of Python's exception for a failure, and what it says: one sentence. */
    public static List<String> told(Throwable failure) {
        Throwable cause = Failures.cause(failure);
        Throwable kind = cause instanceof ExprSyntaxException && cause.getCause() != null ? cause.getCause() : cause;
        return List.of(exception(kind), Failures.sentence(failure));
    }

    private static String exception(Throwable cause) {
        if (cause instanceof IndexOutOfBoundsException) {
            return "IndexError";
        }
        if (cause instanceof ArithmeticException) {
            return "ZeroDivisionError";
        }
        if (cause instanceof IllegalArgumentException) {
            return "ValueError";
        }
        if (cause instanceof NoSuchFileException) {
            return "FileNotFoundError";
        }
        if (cause instanceof FileAlreadyExistsException) {
            return "FileExistsError";
        }
        return cause instanceof IOException ? "OSError" : "RuntimeError";
    }
}
