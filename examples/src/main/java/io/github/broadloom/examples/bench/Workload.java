package io.github.broadloom.examples.bench;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.List;

/**
 * One expression over arrays of fixed shapes. The text is that of {@code eval}, and Python reads it too, so that every
 * contender computes the same.
 *
 * @param name {@code W1} and so on
 * @param title what it stands for, a few words
 * @param text the expression
 * @param operands what its names stand for; the first is the one that is distributed
 * @param result the dtype and shape of the result
 */
public record Workload(String name, String title, String text, List<Operand> operands, Result result) {

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

    public Workload {
        operands = List.copyOf(operands);
    }

    /** What has to be read and written at least: every operand and the result, once. */
    public long bytes() {
        return result.bytes() + operands.stream().mapToLong(Operand::bytes).sum();
    }
}
