package io.github.broadloom.bench;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tools.commands.Declaration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One expression over arrays of fixed shapes. The text is that of {@code eval}, and Python reads it too, so that every
 * contender computes the same.
 *
 * @param name {@code W1} and so on
 * @param place where the operands are, and the result comes, when a device computes it
 * @param queries where the operands are columns of a table: the expressions of SQL that compute the same for each row, or over all rows, by the names of the
 *     contenders, who are no others then
 */
public record Workload(
        String name,
        String title,
        String text,
        List<Operand> operands,
        Result result,
        Place place,
        Map<String, String> queries) {

    public enum Place {
        /** In the memory of what computes. */
        THERE,
        /** In that of this process, whatever computes. */
        HERE
    }

    /**
     * An array of the workload.
     *
     * @param name its name in the text
     * @param shape as it is stored
     * @param transposed whether the text sees it transposed
     */
    public record Operand(String name, DType dtype, Shape shape, boolean transposed) {
        /** For instance {@code x=float32[4,1,2]}, and {@code x=float32[4,3].T} for one that is seen transposed. */
        static Operand of(String text) {
            boolean transposed = text.endsWith(".T");
            Declaration stored = Declaration.parse(text.replace(".T", ""));
            return new Operand(stored.name(), stored.dtype(), stored.shape(), transposed);
        }

        /** As the text sees it. */
        Layout layout() {
            Layout stored = Layout.contiguous(shape);
            return transposed ? stored.t() : stored;
        }

        long bytes() {
            return dtype.sizeBytes(shape.numel());
        }
    }

    public record Result(DType dtype, Shape shape) {
        long bytes() {
            return dtype.sizeBytes(shape.numel());
        }
    }

    /** A workload whose result is that of its text. */
    Workload(String name, String title, String text, List<Operand> operands, Place place, Map<String, String> queries) {
        this(name, title, text, operands, result(text, operands), place, queries);
    }

    /** A workload whose tensors are in the memory of what computes. */
    public Workload(String name, String title, String text, Operand... operands) {
        this(name, title, text, List.of(operands), Place.THERE, Map.of());
    }

    private static Result result(String text, List<Operand> operands) {
        Map<String, Expr> names = new LinkedHashMap<>();
        for (Operand operand : operands) {
            names.put(
                    operand.name,
                    Input.of(operand.name, operand.dtype, operand.layout().shape()));
        }
        Expr expr = ExprParser.parse(text, names);
        return new Result(expr.dtype(), expr.shape());
    }

    public Workload {
        operands = List.copyOf(operands);
        queries = Map.copyOf(queries);
    }

    /** Computed by Broadloom in this process, or on a GPU. */
    Tensor evaluate(Map<String, Tensor> inputs, Device device) {
        return LazyTensor.eval(text, inputs).compute(device);
    }

    public long operandBytes() {
        return bytes() - result.bytes();
    }

    /** What has to be read and written at least: every operand and the result, once. */
    public long bytes() {
        return result.bytes() + operands.stream().mapToLong(Operand::bytes).sum();
    }
}
