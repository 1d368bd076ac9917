package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.rewrite.Simplifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Turns an expression whose inputs are {@link Source}s into a {@link Plan}. Reductions over the leading dimension become
 * stages of their own, those over equally many rows sharing one pass; so do scans through the rows, which leave chunks, the first values in order of all
 * rows, which are found among those of each chunk, and other functions of lines that run through all rows, with one task; what remains is one fused stage over the rows of the result.
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
        return plan(List.of(root), want);
    }

    /**
     * Plans several expressions, of which what they have in common is read and computed once: reductions over equally many rows share a pass, and what has equally many rows is computed
     * in one stage.
     *
     * @throws IllegalArgumentException as there
     */
    public Plan plan(List<Expr> roots, Want want) {
        return plan(roots, (planning, exprs) -> planning.plan(exprs, want));
    }

    /**
     * Plans an expression that is left in chunks of these cuts.
     *
     * @throws IllegalArgumentException as there
     */
    public Plan plan(Expr root, ChunkGrid wanted) {
        return plan(List.of(root), (planning, exprs) -> planning.plan(exprs.get(0), wanted));
    }

    private interface Form {
        Plan plan(Planning planning, List<Expr> roots);
    }

    private Plan plan(List<Expr> roots, Form form) {
        List<Expr> simple = Runs.found(settings, Simplifier.simplify(roots));
        try {
            return form.plan(new Planning(settings), simple);
        } catch (Refusal refusal) {
            throw refusal.with(
                    new Remedies(simple, settings, (exprs, other) -> refused(exprs, form, other)).of(refusal));
        }
    }

    /** Why the plan cannot work with other settings; empty where it can. */
    private static Optional<Refusal> refused(List<Expr> roots, Form form, Settings other) {
        try {
            form.plan(new Planning(other), roots);
            return Optional.empty();
        } catch (Refusal refusal) {
            return Optional.of(refusal);
        }
    }

    /**
     * Finds settings with which a plan that is refused would work: each remedy was tried in a dry run.
     *
     * @param attempt makes the plan of expressions with other settings, and tells why that cannot work either
     */
    private record Remedies(
            List<Expr> roots, Settings settings, BiFunction<List<Expr>, Settings, Optional<Refusal>> attempt) {
        private static final int MOST_TRIES = 16;
        private static final long LEAST_CHUNK_BYTES = 1 << 10;

        List<String> of(Refusal refusal) {
            return switch (refusal.cause()) {
                case REPLICA -> replicated(refusal).map(List::of).orElse(List.of());
                case TASKS -> larger().map(List::of).orElse(List.of());
                case MEMORY -> {
                    List<String> found = new ArrayList<>();
                    smaller().ifPresent(bytes -> found.add("make the chunks smaller with " + chunkBytes(bytes)));
                    notReplicated(refusal.bytes()).ifPresent(found::add);
                    yield found;
                }
            };
        }

        private Optional<Long> smaller() {
            long bytes = settings.chunkBytes() / 2;
            for (int i = 0; i < MOST_TRIES && bytes >= LEAST_CHUNK_BYTES; i++, bytes /= 2) {
                if (attempt.apply(roots, settings.withChunkBytes(bytes)).isEmpty()) {
                    return Optional.of(bytes);
                }
            }
            return Optional.empty();
        }

        private Optional<String> larger() {
            long bytes = 2 * settings.chunkBytes();
            for (int i = 0; i < MOST_TRIES; i++, bytes *= 2) {
                if (attempt.apply(roots, settings.withChunkBytes(bytes)).isEmpty()) {
                    return Optional.of("make the chunks larger with " + chunkBytes(bytes));
                }
            }
            return Optional.empty();
        }

        private static String chunkBytes(long bytes) {
            return "withChunkBytes(" + bytes + ") (--chunk-bytes " + bytes + ")";
        }

        /** Until no operand is too large, of which there may be several. */
        private Optional<String> replicated(Refusal refusal) {
            Optional<Refusal> next = Optional.of(refusal);
            long bytes = 0;
            for (int i = 0; i < MOST_TRIES && next.isPresent(); i++) {
                if (next.get().cause() != Refusal.Cause.REPLICA || next.get().bytes() <= bytes) {
                    return Optional.empty();
                }
                bytes = next.get().bytes();
                next = attempt.apply(roots, settings.withReplicateBytes(bytes));
            }
            return next.isPresent()
                    ? Optional.empty()
                    : Optional.of("raise the limit with withReplicateBytes(" + bytes + ")");
        }

        private Optional<String> notReplicated(long bytes) {
            return bytes > 1
                            && attempt.apply(roots, settings.withReplicateBytes(bytes - 1))
                                    .isEmpty()
                    ? Optional.of("copy less to every executor with withReplicateBytes(" + (bytes - 1) + ")")
                    : Optional.empty();
        }
    }
}
