package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.rewrite.Simplifier;
import java.util.Optional;

/**
 * Turns an expression whose inputs are {@link Source}s into a {@link Plan}. Reductions over the leading dimension become
 * stages of their own, those over equally many rows sharing one pass; so do scans through the rows, which leave chunks, and other functions of lines that
 * run through all rows, with one task; what remains is one fused stage over the rows of the result.
 */
public record Planner(Settings settings) {
    /** What the last stage has to leave. */
    public enum Want {
        /** The value, in any form: small things may be computed on the driver. */
        VALUE,
        /** As {@link #VALUE}; where it is in chunks, each of them has whole rows. */
        ROWS,
        /** Chunks on the cluster. */
        CHUNKS,
        /** Chunks on the cluster, each of whole rows. */
        ROW_CHUNKS;

        /** Whether nothing but chunks will do. */
        boolean inChunks() {
            return this == CHUNKS || this == ROW_CHUNKS;
        }

        /** Whether chunks must have whole rows. */
        boolean ofRows() {
            return this == ROWS || this == ROW_CHUNKS;
        }
    }

    /**
     * Plans an expression; nothing is read and nothing runs.
     *
     * @throws IllegalArgumentException where it cannot work: an operand too large to copy to every executor, or a task
     *     larger than its memory
     */
    public Plan plan(Expr root, Want want) {
        Expr simple = Simplifier.simplify(root);
        try {
            return new Planning(settings).plan(simple, want);
        } catch (Refusal refusal) {
            throw refusal.with(new Remedies(simple, settings, (expr, other) -> refused(expr, want, other)).of(refusal));
        }
    }

    /** Why the plan cannot work with other settings; empty where it can. */
    private static Optional<Refusal> refused(Expr root, Want want, Settings other) {
        try {
            new Planning(other).plan(root, want);
            return Optional.empty();
        } catch (Refusal refusal) {
            return Optional.of(refusal);
        }
    }
}
