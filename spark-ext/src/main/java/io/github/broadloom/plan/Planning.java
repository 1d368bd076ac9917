package io.github.broadloom.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Filter;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Graphs;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.plan.Planner.Want;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The stages of one plan, as they come. */
final class Planning {
    private final Settings settings;
    private final List<Stage> stages = new ArrayList<>();
    /** What stages of their own compute, by identity. */
    private final Map<Expr, Expr> results = new IdentityHashMap<>();
    /** Sources in other cuts, by both. */
    private final Map<List<Object>, Input> recutInputs = new HashMap<>();
    /** Operands that were brought into the blocks in which a stage reads them. */
    private final Set<Source> recutSources = new HashSet<>();

    Planning(Settings settings) {
        this.settings = settings;
    }

    /** What leaves one value, in its last stage, or several. */
    Plan plan(List<Expr> roots, Want want) {
        return roots.size() == 1 ? plan(roots.get(0), want) : ofSeveral(roots, want);
    }

    private Plan plan(Expr root, Want want) {
        Expr rest = withoutPasses(List.of(root)).get(0);
        boolean done = rest instanceof Input input
                && (input.source() instanceof StageOutput.Value ? !want.inChunks() : isLast(input.source(), want));
        if (!done) {
            addAlone(rest, want);
        }
        return Plan.ofLast(stages, settings);
    }

    /** What passes share is computed once, and what is left of values with equally many rows by one stage. */
    private Plan ofSeveral(List<Expr> roots, Want want) {
        List<Expr> rests = withoutPasses(roots);
        Map<Object, List<Expr>> groups = new LinkedHashMap<>();
        for (Expr rest : rests) {
            if (!isLeft(rest, want)) {
                Object rows =
                        rest.shape().rank() == 0 ? rest : (Object) rest.shape().size(0);
                groups.computeIfAbsent(rows, key -> new ArrayList<>()).add(rest);
            }
        }
        Map<Expr, Plan.Result> left = new IdentityHashMap<>();
        groups.values().forEach(group -> addTogether(group, want, left));
        List<Plan.Result> each = new ArrayList<>();
        for (Expr rest : rests) {
            each.add(
                    rest instanceof Input input && isLeft(rest, want)
                            ? result((StageOutput) input.source())
                            : left.get(rest));
        }
        return new Plan(stages, settings, each);
    }

    /** Whether a stage has left it as it is wanted. */
    private static boolean isLeft(Expr rest, Want want) {
        return rest instanceof Input input
                && input.source() instanceof StageOutput output
                && (output instanceof StageOutput.Chunks chunks
                        ? !want.ofRows() || chunks.grid().cutsRowsAlone()
                        : !want.inChunks());
    }

    private Plan.Result result(StageOutput output) {
        return new Plan.Result(output.stage(), output.output(), stages.get(output.stage()), settings.chunkBytes());
    }

    /** One stage for values with equally many rows; for each its own where that would need too much of an operand. */
    private void addTogether(List<Expr> roots, Want want, Map<Expr, Plan.Result> left) {
        Function<List<Expr>, StageBuilder> form = nodes -> StageBuilder.ofTogether(settings, nodes, want);
        if (roots.size() > 1 && addOne(roots, form)) {
            for (int i = 0; i < roots.size(); i++) {
                left.put(roots.get(i), lastResult(i));
            }
            return;
        }
        for (Expr root : roots) {
            addAlone(root.replace(results), want);
            left.put(root, lastResult(0));
        }
    }

    /** @return whether one stage can do that: it may need too much of an operand, or more memory than a task has */
    private boolean addOne(List<Expr> roots, Function<List<Expr>, StageBuilder> form) {
        try {
            Settled settled = fitting(settled(roots, form), form);
            boolean fits = settled.builder.fitsReplicas();
            if (fits) {
                stages.add(settled.builder.build(texts(roots)));
            }
            return fits;
        } catch (Refusal refusal) {
            return false; // each alone is refused, too, or needs less
        }
    }

    private Plan.Result lastResult(int output) {
        return new Plan.Result(stages.size() - 1, output, last(), settings.chunkBytes());
    }

    private void addAlone(Expr rest, Want want) {
        addChunks(rest, want);
        if (want.ofRows() && !last().resultGrid().cutsRowsAlone()) {
            Expr blocks = result(rest, 0);
            Settled rows = settled(List.of(blocks), nodes -> StageBuilder.ofRows(settings, nodes));
            stages.add(rows.builder.build(ExprText.of(blocks)));
        }
    }

    /** Whether it is the chunks that the last stage leaves, as they are wanted. */
    private boolean isLast(Object source, Want want) {
        return source instanceof StageOutput.Chunks chunks
                && chunks.stage() == stages.size() - 1
                && last().kind().leavesChunksAlone()
                && last().outputs().size() == 1
                && !(want.ofRows() && !last().resultGrid().cutsRowsAlone());
    }

    /** What leaves chunks of exactly these cuts: straight from what it is made of where no shuffle is needed, else of the chunks that it has by itself. */
    Plan plan(Expr root, ChunkGrid wanted) {
        Expr rest = withoutPasses(List.of(root)).get(0);
        StageBuilder straight = StageBuilder.ofGrid(settings, rest, wanted);
        if (straight.obstacles().isEmpty() && straight.fitsReplicas() && !straight.shuffles()) {
            stages.add(straight.build(ExprText.of(rest)));
            return Plan.ofLast(stages, settings);
        }
        addChunks(rest, Want.CHUNKS);
        ChunkGrid own = last().resultGrid();
        List<ChunkGrid> grids = new ArrayList<>(Rechunk.between(own, wanted, Rechunk.MOST_PIECES));
        if (!own.equals(wanted)) {
            grids.add(wanted);
        }
        inGrids(result(rest, 0), grids);
        return Plan.ofLast(stages, settings);
    }

    /** The expressions with everything computed, in stages of its own, that needs all rows. */
    private List<Expr> withoutPasses(List<Expr> roots) {
        List<Expr> rests = roots;
        for (Map<Object, List<Expr>> ready = readyPasses(rests); !ready.isEmpty(); ready = readyPasses(rests)) {
            ready.values().forEach(this::addPasses);
            rests = replaced(rests);
        }
        return rests;
    }

    /**
     * What needs every row and has nothing of the kind below it: folds over rows together where they have as many rows,
     * and each function of lines through the rows, and each contraction of rows, by itself.
     */
    private Map<Object, List<Expr>> readyPasses(List<Expr> roots) {
        List<Expr> order = Graphs.postOrder(roots);
        boolean alone = order.stream()
                        .filter(node -> node instanceof Reduce reduce && reduce.crossesRows())
                        .count()
                == 1; // others of the same rows share a pass
        Map<Object, List<Expr>> ready = new LinkedHashMap<>();
        Set<Expr> overPasses = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Expr node : order) {
            boolean below = node.children().stream().anyMatch(overPasses::contains);
            boolean folds = node instanceof Reduce reduce
                    && reduce.crossesRows()
                    && !StageBuilder.isWithinBlocks(settings, reduce.operand(), reduce.dims())
                    && !(alone && PassChoice.isBetterAcross(settings, reduce));
            boolean crosses = node instanceof Along along && along.crossesRows()
                    || node instanceof Grouped grouped
                            && grouped.by() == Grouped.By.LABELS
                            && grouped.dim() == 0
                            && !StageBuilder.isWithinBlocks(settings, grouped.operand(), 0);
            boolean needsRows = folds || crosses || node instanceof Filter || !below && isSummedByRows(node);
            if (needsRows && !below) {
                boolean isSelected = node instanceof Along along && PassChoice.isSelected(settings, along);
                Object rows = node.children().get(0).shape().size(0);
                Object pass = folds ? rows : isSelected ? ((Along) node).operand() : node;
                if (node instanceof Grouped grouped
                        && StageBuilder.ofGroups(settings, List.of(node)).isPresent()) {
                    pass = List.of(rows, grouped.function().block());
                }
                ready.computeIfAbsent(pass, p -> new ArrayList<>()).add(node);
            }
            if (needsRows || below) {
                overPasses.add(node);
            }
        }
        return ready;
    }

    private boolean isSummedByRows(Expr node) {
        return node instanceof Contraction product
                && StageBuilder.ofProducts(settings, product).isPresent();
    }

    private void addPasses(List<Expr> outputs) {
        if (outputs.size() > 1
                && outputs.get(0) instanceof Grouped
                && StageBuilder.ofGroups(settings, outputs).isEmpty()) {
            outputs.forEach(output -> addPass(List.of(output)));
            return;
        }
        if (outputs.get(0) instanceof Reduce) {
            List<Reduce> reductions = outputs.stream().map(Reduce.class::cast).toList();
            if (PassChoice.isBetterStreamed(settings, reductions)) {
                addStream(reductions);
                return;
            }
        }
        List<Expr> together = new ArrayList<>();
        List<Reduce> streamed = new ArrayList<>();
        for (Expr output : outputs) {
            if (isStreamed(output)) {
                streamed.add((Reduce) output);
            } else {
                together.add(output);
            }
        }
        Streams.grouped(streamed).forEach(this::addStream);
        if (!together.isEmpty()) {
            addPass(together);
        }
    }

    private void addPass(List<Expr> outputs) {
        boolean folds = outputs.get(0) instanceof Reduce;
        Function<List<Expr>, StageBuilder> form = this::pass;
        Settled settled = settled(outputs, form);
        if (folds && !settled.builder.fitsReplicas()) {
            settled = settled(settled.nodes.stream().map(this::overBlocks).toList(), form);
        }
        addOutputs(fitting(settled, form).builder, outputs);
    }

    private StageBuilder pass(List<Expr> nodes) {
        Expr first = nodes.get(0);
        if (first instanceof Reduce) {
            return StageBuilder.ofFolds(settings, nodes);
        }
        if (first instanceof Grouped) {
            return StageBuilder.ofGroups(settings, nodes).orElseGet(() -> StageBuilder.ofLines(settings, nodes));
        }
        if (first instanceof Filter filter) {
            return StageBuilder.ofFilter(settings, filter);
        }
        if (first instanceof Gather gather) {
            return StageBuilder.ofGather(settings, gather);
        }
        return first instanceof Contraction product
                ? StageBuilder.ofProducts(settings, product)
                        .orElseThrow(() -> new IllegalStateException("Not summed by rows: " + product))
                : StageBuilder.ofLines(settings, nodes);
    }

    /** A fold over chunks that an earlier stage computes, where rows of its argument cannot be computed by themselves. */
    private Expr overBlocks(Expr fold) {
        Optional<Expr> argument = StageBuilder.ofFolds(settings, List.of(fold)).argumentInBlocks(fold);
        argument.ifPresent(this::settle);
        return argument.isPresent() ? fold.replace(results) : fold;
    }

    /** Whether a fold goes along the rows in steps, because the tasks of a fold would need too much of an operand. */
    private boolean isStreamed(Expr fold) {
        return fold instanceof Reduce reduce
                && !StageBuilder.ofFolds(settings, List.of(fold)).fitsReplicas()
                && StageBuilder.ofStream(settings, List.of(reduce)).isPresent();
    }

    private void addChunks(Expr root, Want want) {
        Function<List<Expr>, StageBuilder> form = nodes -> StageBuilder.ofChunks(settings, nodes, want);
        stages.add(fitting(settled(List.of(root), form), form).builder.build(ExprText.of(root)));
    }

    /** A stage with reductions in streams of their own, until no operand is too large to be copied, or nothing can be streamed. */
    private Settled fitting(Settled stage, Function<List<Expr>, StageBuilder> form) {
        Settled settled = stage;
        for (boolean more = true; more && !settled.builder.fitsReplicas(); ) {
            List<Expr> large = settled.nodes.stream()
                    .filter(output -> !form.apply(List.of(output)).fitsReplicas())
                    .toList();
            List<Reduce> streams = Streams.outermost(
                    large,
                    reduce -> StageBuilder.ofStream(settings, List.of(reduce)).isPresent());
            more = !streams.isEmpty();
            if (more) {
                addStream(streams);
                settled = settled(replaced(settled.nodes), form);
            }
        }
        return settled;
    }

    /** Reductions in one stage of their own that goes along their dimension in steps. */
    private void addStream(List<Reduce> reductions) {
        List<Expr> outputs = List.copyOf(reductions);
        Settled settled = settled(
                outputs,
                nodes -> StageBuilder.ofStream(
                                settings, nodes.stream().map(Reduce.class::cast).toList())
                        .orElseThrow(() -> new IllegalStateException("Not a stream: " + nodes)));
        addOutputs(settled.builder, outputs);
    }

    private void addOutputs(StageBuilder builder, List<Expr> outputs) {
        stages.add(builder.build(texts(outputs)));
        for (int i = 0; i < outputs.size(); i++) {
            results.put(outputs.get(i), result(outputs.get(i), i));
        }
    }

    private static String texts(List<Expr> outputs) {
        return outputs.stream().map(ExprText::of).collect(Collectors.joining(", "));
    }

    /** A stage without obstacles: its outputs, and what builds it. */
    private record Settled(List<Expr> nodes, StageBuilder builder) {}

    /** The outputs of a stage with everything computed, in stages before, that the stage cannot compute itself. */
    private Settled settled(List<Expr> outputs, Function<List<Expr>, StageBuilder> form) {
        List<Expr> nodes = outputs;
        StageBuilder builder = form.apply(nodes);
        while (!builder.obstacles().isEmpty()) {
            builder.obstacles().forEach(this::settle);
            nodes = replaced(nodes);
            builder = form.apply(nodes);
        }
        return inBlocks(new Settled(nodes, builder), form);
    }

    /** The stage with operands in chunks of their own that are the blocks its tasks need, where that spares a shuffle most of its work. */
    private Settled inBlocks(Settled stage, Function<List<Expr>, StageBuilder> form) {
        Settled settled = stage;
        for (Optional<Recut> next = recut(settled); next.isPresent(); next = recut(settled)) {
            Recut recut = next.get();
            Input blocks = inGrids(recut.viewed().input(), recut.grids());
            recutSources.add((Source) blocks.source());
            List<Expr> nodes = settled.nodes.stream()
                    .map(node -> recut.replace(node, blocks))
                    .toList();
            settled = new Settled(nodes, settled.builder.again(nodes, form, recut.stage()));
        }
        return settled;
    }

    /** An input in stages of its own, each of which leaves it in the next of these cuts; those that there are already are read again. */
    private Input inGrids(Input input, List<ChunkGrid> grids) {
        Input chunks = input;
        for (ChunkGrid grid : grids) {
            Input from = chunks;
            chunks = recutInputs.computeIfAbsent(List.of(from.source(), grid), key -> {
                stages.add(StageBuilder.ofGrid(settings, from, grid).build(ExprText.of(from)));
                return result(from, 0);
            });
        }
        return chunks;
    }

    private Optional<Recut> recut(Settled stage) {
        return stage.builder.fitsReplicas() ? stage.builder.recut(recutSources) : Optional.empty();
    }

    private void settle(Expr obstacle) {
        if (results.containsKey(obstacle)) {
            return;
        }
        if (obstacle instanceof Input input && input.source() instanceof StageOutput.Chunks) {
            throw new IllegalStateException("Cannot plan: no chunk is made of chunks of " + ExprText.of(input));
        }
        boolean isCutThrough = obstacle instanceof Along along && StageBuilder.isCutThroughLines(along)
                || obstacle instanceof Grouped grouped && grouped.by() == Grouped.By.LABELS
                || obstacle instanceof Gather gather && PassChoice.isExchanged(settings, gather);
        if (isCutThrough) {
            addPass(List.of(obstacle));
            return;
        }
        boolean isOfRows = obstacle instanceof Gather gather && gather.dim() == 0; // which rows look up
        Want ofOthers = obstacle instanceof Input ? Want.CHUNKS : Want.VALUE;
        addAlone(obstacle, isOfRows ? Want.ROWS : ofOthers);
        results.put(obstacle, result(obstacle, 0));
    }

    private List<Expr> replaced(List<Expr> nodes) {
        return Graphs.rewrite(nodes, (node, over) -> results.getOrDefault(node, over));
    }

    private Stage last() {
        return stages.get(stages.size() - 1);
    }

    private Input result(Expr output, int index) {
        Stage stage = last();
        int number = stages.size() - 1;
        String text = ExprText.of(output);
        Source source = stage.kind().leavesChunks()
                ? new StageOutput.Chunks(
                        number, index, text, output.dtype(), output.shape(), stage.resultGrid(index), stage.peakBytes())
                : new StageOutput.Value(number, index, text, output.dtype(), output.shape());
        return Input.of(source, output.dtype(), output.shape());
    }
}
