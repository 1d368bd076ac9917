package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Simplifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Turns an expression whose inputs are {@link Source}s into a {@link Plan}. Reductions over the leading dimension become
 * stages of their own, those over equally many rows sharing one pass; what remains is one fused stage over the
 * rows of the result.
 */
public final class Planner {
    /** What the last stage has to leave. */
    public enum Want {
        /** The value, in any form: small things may be computed on the driver. */
        VALUE,
        /** Chunks on the cluster. */
        CHUNKS
    }

    private final Settings settings;

    public Planner(Settings settings) {
        this.settings = settings;
    }

    /**
     * Plans an expression; nothing is read and nothing runs.
     *
     * @throws IllegalArgumentException where it cannot work: an operand too large to copy to every executor, or a task
     *     larger than its memory
     */
    public Plan plan(Expr root, Want want) {
        List<Stage> stages = new ArrayList<>();
        Expr rest = Simplifier.simplify(root);
        for (Map<Long, List<Expr>> ready = readyFolds(rest); !ready.isEmpty(); ready = readyFolds(rest)) {
            Map<Expr, Expr> results = new IdentityHashMap<>();
            for (List<Expr> folds : ready.values()) {
                addFolds(folds, stages, results);
            }
            rest = Rewrite.replace(rest, results);
        }
        boolean done = rest instanceof Input input && input.source() instanceof StageResult && want == Want.VALUE;
        if (!done) {
            stages.add(StageBuilder.ofChunks(settings, rest, want, ExprText.of(rest)));
        }
        return new Plan(stages, settings);
    }

    private void addFolds(List<Expr> folds, List<Stage> stages, Map<Expr, Expr> results) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < folds.size(); i++) {
            Expr fold = folds.get(i);
            String text = ExprText.of(fold);
            texts.add(text);
            StageResult result = new StageResult(stages.size(), i, text, fold.dtype(), fold.shape());
            results.put(fold, Input.of(result, fold.dtype(), fold.shape()));
        }
        stages.add(StageBuilder.ofFolds(settings, folds, String.join(", ", texts)));
    }

    /** The folds over rows that have no other below them, by their number of rows. */
    private static Map<Long, List<Expr>> readyFolds(Expr root) {
        Map<Long, List<Expr>> ready = new LinkedHashMap<>();
        Set<Expr> overFolds = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Expr node : root.postOrder()) {
            boolean below = node.children().stream().anyMatch(overFolds::contains);
            boolean folds = Rewrite.foldsRows(node);
            if (folds && !below) {
                long rows = node.children().get(0).shape().size(0);
                ready.computeIfAbsent(rows, r -> new ArrayList<>()).add(node);
            }
            if (folds || below) {
                overFolds.add(node);
            }
        }
        return ready;
    }
}
