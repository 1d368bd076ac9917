package io.github.broadloom.plan;

import io.github.broadloom.expr.Concat;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Rearrange;
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
 * stages of their own, those over equally many rows sharing one pass; functions of lines that run
 * through all rows are a stage with one task; what remains is one fused stage over the rows of the result.
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
        refuseRearranged(rest);
        for (Map<Object, List<Expr>> ready = readyPasses(rest); !ready.isEmpty(); ready = readyPasses(rest)) {
            Map<Expr, Expr> results = new IdentityHashMap<>();
            for (List<Expr> pass : ready.values()) {
                addPass(pass, stages, results);
            }
            rest = Rewrite.replace(rest, results);
        }
        boolean done = rest instanceof Input input && input.source() instanceof StageResult && want == Want.VALUE;
        if (!done) {
            stages.add(StageBuilder.ofChunks(settings, rest, want, ExprText.of(rest)));
        }
        return new Plan(stages, settings);
    }

    private static void refuseRearranged(Expr root) {
        for (Expr node : root.postOrder()) {
            if (node instanceof Rearrange || node instanceof Concat) {
                throw new IllegalArgumentException("Cannot compute " + ExprText.of(root) + ": " + node
                        + " moves elements between chunks; collect() its operands first");
            }
        }
    }

    private void addPass(List<Expr> outputs, List<Stage> stages, Map<Expr, Expr> results) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            Expr output = outputs.get(i);
            String text = ExprText.of(output);
            texts.add(text);
            StageResult result = new StageResult(stages.size(), i, text, output.dtype(), output.shape());
            results.put(output, Input.of(result, output.dtype(), output.shape()));
        }
        String text = String.join(", ", texts);
        stages.add(
                Rewrite.crossesRows(outputs.get(0))
                        ? StageBuilder.ofWhole(settings, outputs.get(0), text)
                        : StageBuilder.ofFolds(settings, outputs, text));
    }

    /**
     * What needs every row and has nothing of the kind below it: folds over rows together where they have as many rows,
     * and each function of lines through the rows by itself.
     */
    private static Map<Object, List<Expr>> readyPasses(Expr root) {
        Map<Object, List<Expr>> ready = new LinkedHashMap<>();
        Set<Expr> overPasses = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Expr node : root.postOrder()) {
            boolean below = node.children().stream().anyMatch(overPasses::contains);
            boolean folds = Rewrite.foldsRows(node);
            boolean needsRows = folds || Rewrite.crossesRows(node);
            if (needsRows && !below) {
                Object pass = folds ? node.children().get(0).shape().size(0) : node;
                ready.computeIfAbsent(pass, p -> new ArrayList<>()).add(node);
            }
            if (needsRows || below) {
                overPasses.add(node);
            }
        }
        return ready;
    }
}
