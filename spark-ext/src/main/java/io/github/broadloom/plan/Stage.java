package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import java.util.List;

/**
 * One pass over the rows.
 *
 * @param outputs expressions over the operands' slots, with the whole tensors' shapes
 * @param grid the cuts of the rows: one task for each chunk
 * @param text the outputs as the user would write them
 */
public record Stage(Kind kind, List<Expr> outputs, List<Operand> operands, RowGrid grid, String text) {
    /** What a stage leaves. */
    public enum Kind {
        /** The chunks of its one output. */
        CHUNKS,
        /** Reductions over the leading dimension, folded on the driver from the tasks' partial results. */
        FOLD,
        /** Its one output, which one task with all the rows computes and brings to the driver. */
        WHOLE,
        /** Its outputs on the driver, which computes them itself: no job. */
        DRIVER
    }

    public Stage {
        outputs = List.copyOf(outputs);
        operands = List.copyOf(operands);
    }

    /** Whether the chunks are an operand's as they are, so that no kernel runs. */
    public boolean copies() {
        return outputs.stream().allMatch(Input.class::isInstance);
    }

    /** The fused kernels that are compiled. */
    public int kernels() {
        if (kind == Kind.WHOLE) { // the function of the lines is none; what the lines are of may be one
            return argument() instanceof Input ? 0 : 1;
        }
        return copies() ? 0 : outputs.size();
    }

    /** What a function of lines takes. */
    private Expr argument() {
        return outputs.get(0).children().get(0);
    }

    /** The bytes of all outputs. */
    public long outputBytes() {
        return outputs.stream()
                .mapToLong(e -> Sizes.bytes(e.dtype(), e.shape()))
                .sum();
    }

    /** The bytes that travel in broadcast variables. */
    public long broadcastBytes() {
        return operands.stream().mapToLong(Operand::broadcastBytes).sum();
    }

    /** An estimate of what a task holds at its peak: its operands and its result. */
    public long peakBytes() {
        long rows = grid.mostRows();
        long bytes = operands.stream().mapToLong(o -> o.taskBytes(rows)).sum();
        for (Expr output : outputs) {
            bytes += kind == Kind.CHUNKS
                    ? Sizes.saturated(Math.max(1, rows), Sizes.rowBytes(output.dtype(), output.shape()))
                    : Sizes.bytes(output.dtype(), output.shape());
        }
        if (kind == Kind.WHOLE && !(argument() instanceof Input)) { // computed before the lines are read
            bytes += Sizes.bytes(argument().dtype(), argument().shape());
        }
        return bytes;
    }
}
