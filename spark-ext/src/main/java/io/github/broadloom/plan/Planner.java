package io.github.broadloom.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.Simplifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Turns an expression whose inputs are {@link Source}s into a {@link Plan}. Reductions over the leading dimension become
 * stages of their own, those over equally many rows sharing one pass; so do scans through the rows, which leave chunks, and other functions of lines that
 * run through all rows, with one task; what remains is one fused stage over the rows of the result.
 */
public final class Planner {
    /** What the last stage has to leave. */
    public enum Want {
        /** The value, in any form: small things may be computed on the driver. */
        VALUE,
        /** As {@link #VALUE}; where it is in chunks, each of them has whole rows. */
        ROWS,
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
        return new Planning().plan(Simplifier.simplify(root), want);
    }

    /** The stages of one plan, as they come. */
    private final class Planning {
        private final List<Stage> stages = new ArrayList<>();
        /** What stages of their own compute, by identity. */
        private final Map<Expr, Expr> results = new IdentityHashMap<>();

        Plan plan(Expr root, Want want) {
            Expr rest = root;
            for (Map<Object, List<Expr>> ready = readyPasses(rest); !ready.isEmpty(); ready = readyPasses(rest)) {
                ready.values().forEach(this::addPasses);
                rest = Rewrite.replace(rest, results);
            }
            boolean done = rest instanceof Input input && input.source() instanceof StageResult && want != Want.CHUNKS;
            if (!done) {
                addChunks(rest, want, ExprText.of(rest));
                Stage stage = stages.get(stages.size() - 1);
                if (want == Want.ROWS && !stage.resultGrid().cutsRowsAlone()) {
                    Expr blocks = result(rest, 0);
                    stages.add(StageBuilder.ofRows(settings, blocks).build(ExprText.of(blocks)));
                }
            }
            return new Plan(stages, settings);
        }

        private void addPasses(List<Expr> outputs) {
            List<Expr> together = new ArrayList<>();
            for (Expr output : outputs) {
                if (isStreamed(output)) {
                    addStream((Reduce) output);
                } else {
                    together.add(output);
                }
            }
            if (!together.isEmpty()) {
                addPass(together);
            }
        }

        private void addPass(List<Expr> outputs) {
            String text = outputs.stream().map(ExprText::of).collect(Collectors.joining(", "));
            boolean folds = outputs.get(0) instanceof Reduce;
            Function<List<Expr>, StageBuilder> builder = nodes -> folds
                    ? StageBuilder.ofFolds(settings, nodes)
                    : StageBuilder.ofLines(settings, (Along) nodes.get(0));
            List<Expr> pass = settled(outputs, builder).stream()
                    .map(fold -> folds ? inBlocks((Reduce) fold) : fold)
                    .toList();
            stages.add(builder.apply(fitting(pass, builder)).build(text));
            for (int i = 0; i < outputs.size(); i++) {
                results.put(outputs.get(i), result(outputs.get(i), i));
            }
        }

        /** Puts the outermost reduction that can be streamed in a stage of its own; false where there is none. */
        private boolean streams(Expr root) {
            List<Expr> order = root.postOrder();
            for (int i = order.size() - 1; i >= 0; i--) {
                if (order.get(i) instanceof Reduce reduce
                        && StageBuilder.ofStream(settings, reduce).isPresent()) {
                    addStream(reduce);
                    return true;
                }
            }
            return false;
        }

        private void addStream(Reduce reduce) {
            Function<List<Expr>, StageBuilder> builder = nodes -> StageBuilder.ofStream(settings, (Reduce) nodes.get(0))
                    .orElseThrow(() -> new IllegalStateException("Not a stream: " + reduce));
            stages.add(builder.apply(settled(List.of(reduce), builder)).build(ExprText.of(reduce)));
            results.put(reduce, result(reduce, 0));
        }

        /** A fold over chunks that an earlier stage computes, where rows of its argument cannot be computed by themselves. */
        private Expr inBlocks(Reduce fold) {
            Optional<Expr> argument =
                    StageBuilder.ofFolds(settings, List.of(fold)).argumentInBlocks(fold);
            argument.ifPresent(this::settle);
            return argument.isPresent() ? Rewrite.replace(fold, results) : fold;
        }

        /** Whether a fold goes along the rows in steps, because the tasks of a fold would need too much of an operand. */
        private boolean isStreamed(Expr fold) {
            return fold instanceof Reduce reduce
                    && !StageBuilder.ofFolds(settings, List.of(fold)).fitsReplicas()
                    && StageBuilder.ofStream(settings, reduce).isPresent();
        }

        private void addChunks(Expr root, Want want, String text) {
            Function<List<Expr>, StageBuilder> builder = nodes -> StageBuilder.ofChunks(settings, nodes.get(0), want);
            List<Expr> settled = settled(List.of(root), builder);
            stages.add(builder.apply(fitting(settled, builder)).build(text));
        }

        /** The outputs of a stage with reductions in streams of their own, until no operand is too large to be copied, or nothing can be streamed. */
        private List<Expr> fitting(List<Expr> outputs, Function<List<Expr>, StageBuilder> builder) {
            List<Expr> rest = outputs;
            for (boolean more = true; more && !builder.apply(rest).fitsReplicas(); ) {
                more = rest.stream()
                        .filter(output -> !builder.apply(List.of(output)).fitsReplicas())
                        .anyMatch(this::streams);
                rest = settled(replaced(rest), builder);
            }
            return rest;
        }

        private List<Expr> replaced(List<Expr> nodes) {
            return nodes.stream().map(node -> Rewrite.replace(node, results)).toList();
        }

        /** The outputs of a stage with everything computed, in stages before, that the stage cannot compute itself. */
        private List<Expr> settled(List<Expr> outputs, Function<List<Expr>, StageBuilder> builder) {
            List<Expr> nodes = outputs;
            for (Set<Expr> obstacles = builder.apply(nodes).obstacles();
                    !obstacles.isEmpty();
                    obstacles = builder.apply(nodes).obstacles()) {
                obstacles.forEach(this::settle);
                nodes = replaced(nodes);
            }
            return nodes;
        }

        private void settle(Expr obstacle) {
            if (results.containsKey(obstacle)) {
                return;
            }
            if (obstacle instanceof Along along && along.op().kind().isScan()) {
                addPass(List.of(along));
                return;
            }
            addChunks(obstacle, obstacle instanceof Input ? Want.CHUNKS : Want.VALUE, ExprText.of(obstacle));
            results.put(obstacle, result(obstacle, 0));
        }

        /** What stands for an output of the last stage so far. */
        private Expr result(Expr output, int index) {
            Stage stage = stages.get(stages.size() - 1);
            int number = stages.size() - 1;
            String text = ExprText.of(output);
            Source source = stage.kind().leavesChunks()
                    ? new StageChunks(
                            number, text, output.dtype(), output.shape(), stage.resultGrid(), stage.peakBytes())
                    : new StageResult(number, index, text, output.dtype(), output.shape());
            return Input.of(source, output.dtype(), output.shape());
        }
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
