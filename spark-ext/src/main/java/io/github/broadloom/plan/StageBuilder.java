package io.github.broadloom.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Filter;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.rewrite.Simplifier;
import io.github.broadloom.plan.Operands.Found;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes one stage: what it goes over, along which dimensions that is cut, and how each operand comes to the chunks. */
final class StageBuilder {
    /** What a task sends is on the heap, and once more on its way through Spark. */
    private static final int HELD_TWICE = 2;

    /** Of groups: an array has room for the nodes of a task. */
    private static final long MOST_NODE_BYTES = 256L << 20;

    private final Settings settings;
    private final Stage.Kind kind;
    private final Shape domain;
    private final int[] cutDims;
    private final Operands operands;
    private final List<Expr> outputs = new ArrayList<>();
    private @Nullable ChunkGrid given;
    /** The stage as it is first: with very many chunks it is made just once. */
    private @Nullable Stage first;

    private StageBuilder(Settings settings, Stage.Kind kind, Shape domain, int... cutDims) {
        this.settings = settings;
        this.kind = kind;
        this.domain = domain;
        this.cutDims = cutDims;
        this.operands = new Operands(settings, domain, cutDims);
    }

    /** A stage that leaves the chunks of values with equally many rows, or all of them on the driver. */
    static StageBuilder ofTogether(Settings settings, List<Expr> roots, Planner.Want want) {
        Shape first = roots.get(0).shape();
        if (!want.ofRows() && roots.stream().allMatch(root -> root.shape().equals(first))) {
            return ofChunks(settings, roots, want);
        }
        StageBuilder rows = ofRows(settings, roots);
        return !want.inChunks() && rows.areOnDriver(roots) ? rows.as(Stage.Kind.DRIVER) : rows;
    }

    private boolean areOnDriver(List<Expr> roots) {
        return roots.stream().allMatch(operands::onDriver);
    }

    /** A stage that leaves the chunks of one value, or of several of one shape, or all of them on the driver. */
    static StageBuilder ofChunks(Settings settings, List<Expr> roots, Planner.Want want) {
        Shape shape = roots.get(0).shape();
        StageBuilder rows = over(settings, roots, shape, leading(shape));
        if (!want.inChunks() && rows.areOnDriver(roots)) {
            return rows.as(Stage.Kind.DRIVER);
        }
        boolean asBlocks =
                rows.operands.areInBlocks() && !(want.ofRows() && roots.stream().allMatch(Input.class::isInstance));
        if (rows.fitsReplicas() && !asBlocks) {
            return rows;
        }
        Optional<StageBuilder> lying = asBlocks ? ofBlocks(settings, roots) : Optional.empty();
        if (lying.isPresent()) {
            return lying.get();
        }
        for (int dim = 0; dim < shape.rank(); dim++) {
            if (dim != rows.cutDims[0]) {
                StageBuilder blocks = over(settings, roots, shape, rows.cutDims[0], dim);
                boolean wanted =
                        !rows.fitsReplicas() || blocks.cuts(settings).blocks().isPresent();
                if (wanted && blocks.fitsReplicas() && blocks.obstacles().isEmpty()) {
                    return blocks;
                }
            }
        }
        return rows;
    }

    /** A stage that leaves values of one shape in the blocks of their foremost operand, where these are cut otherwise than along the leading dimension and one other. */
    private static Optional<StageBuilder> ofBlocks(Settings settings, List<Expr> roots) {
        boolean inBlocks = roots.stream()
                .flatMap(root -> root.inputs().stream())
                .anyMatch(input -> input.source() instanceof Source source && isInBlocks(source));
        if (!inBlocks) {
            return Optional.empty(); // most plans, which pay no more than this look for it
        }
        Shape shape = roots.get(0).shape();
        StageBuilder any =
                over(settings, roots, shape, IntStream.range(0, shape.rank()).toArray());
        return any.operands.found().stream()
                .filter(operand -> any.obstacles().isEmpty() && isInBlocks(operand.source()))
                .min(Comparator.comparing(Found::source, RowCuts.PRECEDENCE))
                .flatMap(operand -> Optional.of(gridOf(operand, shape))
                        .filter(grid -> isOfChunks(settings, grid, roots, operand.source())))
                .filter(grid -> !grid.cutsRowsAlone() && !isOfTwo(grid, leading(shape)[0]))
                .map(grid -> ofGrid(settings, roots, grid))
                .filter(blocks -> blocks.obstacles().isEmpty() && blocks.fitsReplicas());
    }

    /** Whether blocks are not much larger than chunks, or those of the operand itself: they may be of much more of others, as those of something that is repeated, or looked up in. */
    private static boolean isOfChunks(Settings settings, ChunkGrid grid, List<Expr> roots, Source source) {
        long own = Sizes.bytes(
                source.dtype(), Objects.requireNonNull(source.grid()).largest());
        long most = Sizes.saturated(RowCuts.COARSEST, Math.max(settings.chunkBytes(), own));
        return roots.stream().allMatch(root -> Sizes.bytes(root.dtype(), grid.largest()) <= most);
    }

    /** Whether each block of an operand, as it lies, has all of its lines along these dimensions: then what is computed of them is computed where they lie, as others are. */
    static boolean isWithinBlocks(Settings settings, Expr operand, int... dims) {
        return ofBlocks(settings, List.of(operand))
                .map(blocks -> Objects.requireNonNull(blocks.given))
                .filter(grid -> Arrays.stream(dims).noneMatch(grid::cuts))
                .isPresent();
    }

    private static boolean isInBlocks(Source source) {
        ChunkGrid grid = source.grid();
        return grid != null && !grid.cutsRowsAlone();
    }

    private static boolean isOfTwo(ChunkGrid grid, int leading) {
        long cut = IntStream.range(0, grid.cutDims()).filter(grid::cuts).count();
        return cut == 2 && grid.cuts(leading);
    }

    /** The cuts of an operand along the dimensions of the stage; none where they tell nothing. */
    private static ChunkGrid gridOf(Found operand, Shape shape) {
        ChunkGrid own = Objects.requireNonNull(operand.source().grid());
        RowGrid[] cuts = new RowGrid[shape.rank()];
        for (int d = 0; d < cuts.length; d++) {
            KnownCuts known = operand.access().cuts(own, d, shape.size(d));
            boolean tells = known != null && known.bounds().length > 2 && known.coverAll(shape.size(d));
            cuts[d] = tells ? KnownCuts.joined(List.of(known), shape.size(d)) : RowGrid.whole(shape.size(d));
        }
        return ChunkGrid.of(shape, cuts);
    }

    /** A stage that leaves values in chunks of whole rows, of which they have equally many. */
    static StageBuilder ofRows(Settings settings, List<Expr> roots) {
        Shape first = roots.get(0).shape();
        boolean same = roots.stream().allMatch(root -> root.shape().equals(first));
        return over(settings, roots, same ? first : Shape.of(first.size(0)), 0);
    }

    /** A stage that leaves {@code root} in these chunks. */
    static StageBuilder ofGrid(Settings settings, Expr root, ChunkGrid grid) {
        return ofGrid(settings, List.of(root), grid);
    }

    private static StageBuilder ofGrid(Settings settings, List<Expr> roots, ChunkGrid grid) {
        int[] cutDims = IntStream.range(0, grid.cutDims()).filter(grid::cuts).toArray();
        return over(settings, roots, grid.shape(), cutDims).in(grid);
    }

    private static StageBuilder over(Settings settings, Expr root, int... cutDims) {
        return over(settings, List.of(root), root.shape(), cutDims);
    }

    /** @param domain the shape of all, or their rows */
    private static StageBuilder over(Settings settings, List<Expr> roots, Shape domain, int... cutDims) {
        StageBuilder builder = new StageBuilder(settings, Stage.Kind.CHUNKS, domain, cutDims);
        List<Expr> outputs = new ArrayList<>();
        for (Expr root : roots) {
            outputs.add(
                    builder.operands.rewrite(root, Alignment.own(root.shape().rank(), cutDims)));
        }
        builder.outputs.addAll(outputs.size() == 1 ? outputs : Simplifier.simplify(outputs));
        return builder;
    }

    /** A stage that folds reductions over the rows of their arguments, all with the same number of rows. */
    static StageBuilder ofFolds(Settings settings, List<Expr> folds) {
        Shape rows = Shape.of(folds.get(0).children().get(0).shape().size(0));
        boolean onDriver = true;
        StageBuilder builder = new StageBuilder(settings, Stage.Kind.FOLD, rows, 0);
        for (Expr fold : folds) {
            builder.addOver(fold);
            onDriver &= builder.operands.onDriver(fold.children().get(0));
        }
        return onDriver ? builder.as(Stage.Kind.DRIVER) : builder;
    }

    /**
     * A stage that sums the products of a contraction chunk by chunk along its first contracted dimension; empty where that is not how its largest operand lies on
     * the cluster or in a file, or where the sums are too large to be brought to the driver.
     */
    static Optional<StageBuilder> ofProducts(Settings settings, Contraction product) {
        int dim = product.dims()[0];
        Shape places = Shape.of(product.left().shape().size(dim));
        StageBuilder builder = new StageBuilder(settings, Stage.Kind.FOLD, places, 0);
        List<Expr> parts = new ArrayList<>();
        for (Expr operand : product.children()) {
            parts.add(builder.operands.rewrite(
                    operand, Alignment.along(operand.shape().rank(), dim)));
        }
        builder.outputs.add(product.withChildren(parts));
        long sumBytes = Sizes.saturated(
                product.shape().numel(), product.dtype().widened().bytes());
        boolean fits =
                builder.obstacles().isEmpty() && builder.fitsReplicas() && sumBytes <= settings.replicateBytes() / 4;
        return fits && builder.operands.areLedByRows() ? Optional.of(builder) : Optional.empty();
    }

    /** Whether chunks of what a function of lines leaves, which stages are cut into, would cut its lines. */
    static boolean isCutThroughLines(Along along) {
        int[] dims = along.dims();
        boolean leads = dims.length == 1 && leading(along.shape())[0] == dims[0];
        return along.op().kind().isScan() || along.op().leavesLine() && leads;
    }

    /**
     * A stage for a function of lines that run through all rows: in chunks where each goes on from the one before, folded where a few values are
     * looked for, in passes that count where it is an order statistic of long ones, in blocks of whole lines where there is another dimension to cut and one task would have much to do.
     *
     * @param nodes an {@link Along} or a {@link Grouped} whose lines run through the rows, or several order statistics of one operand that {@linkplain PassChoice#isSelected are selected}
     */
    static StageBuilder ofLines(Settings settings, List<Expr> nodes) {
        Expr lines = nodes.get(0);
        if (lines instanceof Along along && PassChoice.isSelected(settings, along)) {
            Shape rows = Shape.of(Sizes.rows(along.operand().shape()));
            StageBuilder builder = new StageBuilder(settings, Stage.Kind.SELECT, rows, 0);
            nodes.forEach(builder::addOver);
            return builder.operands.onDriver(along.operand()) ? builder.as(Stage.Kind.DRIVER) : builder;
        }
        if (lines instanceof Along along && PassChoice.isSorted(settings, along)) {
            StageBuilder builder =
                    new StageBuilder(settings, Stage.Kind.SORT, along.operand().shape(), 0);
            builder.addOver(along);
            return builder.operands.onDriver(along.operand()) ? builder.as(Stage.Kind.DRIVER) : builder;
        }
        return lines instanceof Along along ? ofLines(settings, along) : ofWhole(settings, lines, Stage.Kind.WHOLE);
    }

    /**
     * A stage that folds groups of the rows of files, of which each task goes along whole blocks; empty where tasks have no room for the results, or where files give whole lines as easily.
     *
     * @param nodes each a {@link Grouped}, of equally many rows in equal blocks
     */
    static Optional<StageBuilder> ofGroups(Settings settings, List<Expr> nodes) {
        boolean joins = nodes.stream().allMatch(StageBuilder::isInBlocks);
        long nodeBytes = joins ? nodes.stream().mapToLong(FoldTree::nodeBytes).reduce(0, Sizes::sum) : Long.MAX_VALUE;
        if (nodeBytes > Math.min(MOST_NODE_BYTES, settings.replicateBytes() / 4)) {
            return Optional.empty();
        }
        StageBuilder builder = new StageBuilder(
                settings,
                Stage.Kind.FOLD,
                Shape.of(Sizes.rows(nodes.get(0).children().get(0).shape())),
                0);
        nodes.forEach(builder::addOver);
        boolean folds = builder.folds()
                && FoldTree.isOfBlocks(builder.first())
                && Sizes.saturated(HELD_TWICE, builder.first().peakBytes(settings)) <= settings.heapBytes();
        boolean isEasier = folds && nodes.stream().allMatch(node -> hasLines(settings, node));
        return folds && !isEasier ? Optional.of(builder) : Optional.empty();
    }

    /** Whether tasks have whole lines of what is grouped, and nothing has to be brought together. */
    private static boolean hasLines(Settings settings, Expr lines) {
        return acrossLines(settings, lines)
                .filter(across -> !across.isBroughtTogether())
                .isPresent();
    }

    /** Whether an expression that is cut along these dimensions has to be brought together. */
    static boolean isShuffled(Settings settings, Expr root, int... cutDims) {
        return over(settings, root, cutDims).isBroughtTogether();
    }

    private boolean isBroughtTogether() {
        return !obstacles().isEmpty() || shuffles();
    }

    /** Whether groups of the rows need no shuffle of what is grouped as it is: tasks have whole lines, or fold the rows that they read. */
    static boolean isGroupedAsItLies(Settings settings, Grouped grouped) {
        return isWithinBlocks(settings, grouped.operand(), grouped.dim())
                || hasLines(settings, grouped)
                || ofGroups(settings, List.of(grouped)).isPresent();
    }

    private static boolean isInBlocks(Expr node) {
        return node instanceof Grouped grouped
                && grouped.by() == Grouped.By.LABELS
                && grouped.dim() == 0
                && grouped.function().kind().joins()
                && grouped.blocks() > 1;
    }

    private static StageBuilder ofWhole(Settings settings, Expr lines, Stage.Kind kind) {
        if (kind == Stage.Kind.WHOLE) {
            Optional<StageBuilder> blocks = acrossLines(settings, lines);
            if (blocks.isPresent()) {
                return blocks.get();
            }
        }
        Expr operand = lines.children().get(0);
        StageBuilder builder = new StageBuilder(settings, kind, Shape.of(Sizes.rows(operand.shape())), 0);
        builder.addOver(lines);
        return builder.operands.onDriver(operand) ? builder.as(Stage.Kind.DRIVER) : builder;
    }

    /** A stage that is cut along other dimensions than that of the lines, so that each task has whole ones. */
    private static Optional<StageBuilder> acrossLines(Settings settings, Expr lines) {
        Expr operand = lines.children().get(0);
        Shape shape = lines.shape();
        long bytes = Sizes.bytes(operand);
        boolean stays = shape.rank() == operand.shape().rank();
        int[] lineDims = lines instanceof Along along ? along.dims() : new int[] {((Grouped) lines).dim()};
        int[] others = IntStream.range(0, shape.rank())
                .filter(d -> shape.size(d) > 1 && !(stays && d == lineDims[0]))
                .limit(2)
                .toArray();
        if (lineDims.length != 1 || others.length == 0 || bytes <= settings.chunkBytes()) {
            return Optional.empty();
        }
        boolean enough = bytes / shape.size(others[0]) <= settings.chunkBytes();
        StageBuilder builder = over(settings, lines, enough ? new int[] {others[0]} : others);
        return builder.fitsReplicas() ? Optional.of(builder) : Optional.empty();
    }

    private static StageBuilder ofLines(Settings settings, Along along) {
        Shape argument = along.operand().shape();
        boolean joins = along.joinsRows() && FoldTree.nodeBytes(along) <= settings.replicateBytes() / 4;
        if (!along.scansRows()) {
            return ofWhole(settings, along, joins ? Stage.Kind.FOLD : Stage.Kind.WHOLE);
        }
        StageBuilder builder = new StageBuilder(settings, Stage.Kind.SCAN, argument, 0);
        builder.addOver(along);
        return builder.operands.onDriver(along.operand()) ? builder.as(Stage.Kind.DRIVER) : builder;
    }

    /** A stage whose chunks pick rows by a mask, which are cut anew. */
    static StageBuilder ofFilter(Settings settings, Filter filter) {
        StageBuilder builder =
                new StageBuilder(settings, Stage.Kind.FILTER, filter.operand().shape(), 0);
        builder.addOver(filter);
        return builder.areOnDriver(filter.children()) ? builder.as(Stage.Kind.DRIVER) : builder;
    }

    /** A stage whose chunks ask those of the operand of a gather for what their indices name; they are cut along the indices. */
    static StageBuilder ofGather(Settings settings, Gather gather) {
        Shape domain = gather.shape();
        StageBuilder builder = new StageBuilder(settings, Stage.Kind.GATHER, domain, gather.dim());
        Alignment own = Alignment.own(domain.rank(), gather.dim());
        List<Expr> children = new ArrayList<>();
        for (int i = 1; i < gather.children().size(); i++) {
            children.add(builder.operands.rewrite(
                    gather.children().get(i), own.ofChild(gather, i).orElseThrow()));
        }
        children.add(0, builder.operands.lookedUp(gather, own)); // the last of the slots
        builder.outputs.add(gather.withChildren(children));
        return builder;
    }

    /**
     * A stage that goes along the one dimension which reductions take away, in steps, and is cut along another one; empty where that leaves an operand that is
     * too large, or where parts of a reduction cannot be joined to its very bits.
     *
     * @param reductions along the same dimension of the same shape
     */
    static Optional<StageBuilder> ofStream(Settings settings, List<Reduce> reductions) {
        Reduce first = reductions.get(0);
        Shape domain = first.operand().shape();
        boolean joins =
                reductions.stream().noneMatch(reduce -> reduce.reduction().isDeviation());
        if (first.dims().length != 1 || !joins || domain.numel() == 0) {
            return Optional.empty();
        }
        int along = first.dims()[0];
        int[] others = IntStream.range(0, domain.rank())
                .filter(dim -> dim != along && domain.size(dim) > 1)
                .limit(2)
                .toArray();
        if (others.length == 0) {
            return Optional.empty();
        }
        int[] all = IntStream.concat(IntStream.of(others), IntStream.of(along)).toArray();
        StageBuilder pieces = ofStream(settings, reductions, domain, all);
        @Nullable ChunkGrid steps = Streams.ofPieces(settings, domain, pieces.operands.found(), along);
        if (steps != null && pieces.fitsReplicas()) {
            return Optional.of(pieces.in(steps));
        }
        if (others.length > 1) {
            if (pieces.fitsReplicas() && pieces.cuts(settings).blocks().isPresent()) {
                return Optional.of(pieces);
            }
        }
        StageBuilder builder = ofStream(settings, reductions, domain, others[0], along);
        @Nullable ChunkGrid bands = Streams.ofBands(settings, domain, builder.operands.found(), others[0], along);
        if (bands != null) {
            builder.in(bands);
        }
        return builder.fitsReplicas() ? Optional.of(builder) : Optional.empty();
    }

    private static StageBuilder ofStream(Settings settings, List<Reduce> reductions, Shape domain, int... cutDims) {
        StageBuilder builder = new StageBuilder(settings, Stage.Kind.STREAM, domain, cutDims);
        for (Reduce reduce : reductions) {
            Expr rewritten = builder.operands.rewrite(reduce.operand(), Alignment.own(domain.rank(), builder.cutDims));
            builder.outputs.add(reduce.withChildren(List.of(rewritten)));
        }
        builder.operands.sentInSteps().forEach(builder.operands.obstacles()::add);
        return builder;
    }

    private StageBuilder as(Stage.Kind other) {
        StageBuilder same = new StageBuilder(settings, other, domain, cutDims);
        same.outputs.addAll(outputs);
        same.operands.found().addAll(operands.found());
        same.operands.obstacles().addAll(operands.obstacles());
        return same;
    }

    /** The first dimension of more than one index, so that there is something to cut. */
    private static int[] leading(Shape shape) {
        for (int dim = 0; dim < shape.rank(); dim++) {
            if (shape.size(dim) != 1) {
                return new int[] {dim};
            }
        }
        return shape.rank() == 0 ? new int[0] : new int[] {0};
    }

    private void addOver(Expr function) {
        List<Expr> rewritten = function.children().stream()
                .map(argument -> operands.rewrite(
                        argument, Alignment.own(argument.shape().rank(), 0)))
                .toList();
        outputs.add(function.withChildren(rewritten));
    }

    /** Whether it is a fold that works as it is. */
    boolean folds() {
        return kind == Stage.Kind.FOLD && obstacles().isEmpty() && fitsReplicas();
    }

    /** Whether it is a stream that goes along the blocks of all that lies in some, or along bands of files, each read once. */
    boolean goesAlongBlocks() {
        boolean inBlocks = given != null || cuts(settings).blocks().isPresent();
        return inBlocks && obstacles().isEmpty() && operands.lieInTheSameBlocks();
    }

    Set<Expr> obstacles() {
        return operands.obstacles();
    }

    /**
     * The argument of a function of all rows, where it cannot be computed row by row because an operand would have to be copied whole and is too large, but block
     * by block; empty where it can, or where that does not help.
     */
    Optional<Expr> argumentInBlocks(Expr function) {
        if (fitsReplicas()) {
            return Optional.empty();
        }
        Expr argument = function.children().get(0);
        return ofChunks(settings, List.of(argument), Planner.Want.CHUNKS).cutDims.length > 1
                ? Optional.of(argument)
                : Optional.empty();
    }

    boolean fitsReplicas() {
        return operands.fitReplicas();
    }

    /** The stage of other nodes, in chunks that are cut along the dimensions of this one, though chunks of these nodes by themselves would be others. */
    StageBuilder again(List<Expr> nodes, Function<List<Expr>, StageBuilder> form, ChunkGrid grid) {
        return (kind == Stage.Kind.CHUNKS ? over(settings, nodes, domain, cutDims) : form.apply(nodes)).in(grid);
    }

    StageBuilder in(ChunkGrid grid) {
        for (int dim = 0; dim < grid.cutDims(); dim++) {
            int cut = dim;
            if (grid.cuts(dim) && Arrays.stream(cutDims).noneMatch(own -> own == cut)) {
                throw new IllegalStateException("Not a stage that is cut along dimension " + dim + ": " + outputs);
            }
        }
        given = grid;
        first = null;
        return this;
    }

    Stage build(String text) {
        Stage stage = fitting(settings.taskBytes()).called(text);
        Refusals.check(stage, settings);
        return stage;
    }

    /** Blocks are made smaller until a task has room for its operands, too, and are not those of an operand where it has none. */
    private Stage fitting(long taskBytes) {
        Stage stage = first();
        if (cutDims.length < 2 || given != null) {
            return stage;
        }
        boolean isFree = cuts(settings).blocks().isEmpty();
        long first = isFree ? settings.chunkBytes() / 2 : settings.chunkBytes();
        for (long bytes = first; bytes > 0 && stage.peakBytes() > taskBytes; bytes /= 2) {
            stage = stage(cuts(settings.withChunkBytes(bytes)).freeGrid());
        }
        return stage;
    }

    /**
     * An operand that many tasks would get by a shuffle again and again, or in too many pieces, so that it is better brought into other blocks before; {@code blocks} are
     * those that have been. The chunks leave room to make such a block again.
     */
    Optional<Recut> recut(Set<Source> blocks) {
        if (kind == Stage.Kind.GATHER) {
            return Optional.empty();
        }
        Stage stage = fitting(settings.taskBytes() / 2);
        for (Found found : operands.found()) {
            Operand operand = stage.operands().get((Integer) found.slot().source());
            boolean repeated = cutDims.length > 1
                    && operand.shuffleBytes() / 2 > operand.source().sizeBytes();
            if (operand.transport() == Transport.SHUFFLE && !blocks.contains(operand.source())) {
                Optional<Recut> recut = Recut.of(found, stage.grid(), repeated, settings);
                if (recut.isPresent()) {
                    return recut;
                }
            }
        }
        return Optional.empty();
    }

    /** Whether tasks would get an operand by a shuffle. */
    boolean shuffles() {
        return first().operands().stream().anyMatch(operand -> operand.transport() == Transport.SHUFFLE);
    }

    Stage first() {
        if (first == null) {
            first = stage(given == null ? cuts(settings).grid() : given);
        }
        return first;
    }

    private Stage stage(ChunkGrid grid) {
        ChunkGrid tasks = kind == Stage.Kind.STREAM ? grid.without(cutDims[cutDims.length - 1]) : grid;
        Routes routes = new Routes(settings, kind, domain, cutDims, tasks);
        List<Operand> routed = operands.found().stream().map(routes::operand).toList();
        Stage stage = new Stage(kind, outputs, routed, grid, tasks, "");
        return kind == Stage.Kind.FOLD ? FoldTree.inSteps(stage, settings) : stage;
    }

    private StageCuts cuts(Settings cutting) {
        return new StageCuts(cutting, kind, domain, cutDims, outputs, operands.found());
    }
}
