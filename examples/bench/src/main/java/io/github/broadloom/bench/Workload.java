package io.github.broadloom.bench;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.List;
import java.util.Map;

/**
 * One expression over arrays of fixed shapes. The text is that of {@code eval}, and Python reads it too, so that every
 * contender computes the same.
 *
 * @param name {@code W1} and so on
 * @param title what it stands for, a few words
 * @param text the expression
 * @param operands what its names stand for; the first is the one that is distributed
 * @param result the dtype and shape of the result
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

    /** Where the tensors of a workload are. */
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
        long bytes() {
            return shape.numel() * dtype.bytes();
        }
    }

    /** What comes out. */
    public record Result(DType dtype, Shape shape) {
        long bytes() {
            return shape.numel() * dtype.bytes();
        }
    }

    /** A workload whose tensors are in the memory of what computes. */
    public Workload(String name, String title, String text, List<Operand> operands, Result result) {
        this(name, title, text, operands, result, Place.THERE);
    }

    /** A workload over tensors. */
    public Workload(String name, String title, String text, List<Operand> operands, Result result, Place place) {
        this(name, title, text, operands, result, place, Map.of());
    }

    /** A workload over the columns of a table. */
    Workload(
            String name,
            String title,
            String text,
            List<Operand> operands,
            Result result,
            Map<String, String> queries) {
        this(name, title, text, operands, result, Place.THERE, queries);
    }

    public Workload {
        operands = List.copyOf(operands);
        queries = Map.copyOf(queries);
    }

    /** The bytes of the operands. */
    public long operandBytes() {
        return bytes() - result.bytes();
    }

    /** What has to be read and written at least: every operand and the result, once. */
    public long bytes() {
        return result.bytes() + operands.stream().mapToLong(Operand::bytes).sum();
    }
}
