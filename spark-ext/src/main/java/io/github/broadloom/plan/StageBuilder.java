package io.github.broadloom.plan;

import io.github.broadloom.device.RowFold;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.plan.Operands.Found;
import io.github.broadloom.plan.Source.Residence;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes one stage: what it goes over, along which dimensions that is cut, and how each operand comes to the chunks. */
final class StageBuilder {
    private final Settings settings;
    private final Stage.Kind kind;
    private final Shape domain;
    private final int[] cutDims;
    private final Operands operands = new Operands();
    private final List<Expr> outputs = new ArrayList<>();

    private StageBuilder(Settings settings, Stage.Kind kind, Shape domain, int... cutDims) {
        this.settings = settings;
        this.kind = kind;
        this.domain = domain;
        this.cutDims = cutDims;
    }

    /** A stage that leaves the chunks of {@code root}, or its value on the driver. */
    static StageBuilder ofChunks(Settings settings, Expr root, Planner.Want want) {
        StageBuilder rows = over(settings, root, leading(root.shape()));
        if (want != Planner.Want.CHUNKS && rows.fitsDriver(root)) {
            return rows.as(Stage.Kind.DRIVER);
        }
        if (rows.fitsReplicas()) {
            return rows;
        }
        for (int dim = 0; dim < root.shape().rank(); dim++) {
            if (dim != rows.cutDims[0]) {
                StageBuilder blocks = over(settings, root, rows.cutDims[0], dim);
                if (blocks.fitsReplicas() && blocks.obstacles().isEmpty()) {
                    return blocks;
                }
            }
        }
        return rows;
    }

    /** A stage that leaves {@code root} in chunks of whole rows. */
    static StageBuilder ofRows(Settings settings, Expr root) {
        return over(settings, root, 0);
    }

    private static StageBuilder over(Settings settings, Expr root, int... cutDims) {
        StageBuilder builder = new StageBuilder(settings, Stage.Kind.CHUNKS, root.shape(), cutDims);
        builder.outputs.add(
                builder.operands.rewrite(root, Alignment.own(root.shape().rank(), cutDims)));
        return builder;
    }

    /** A stage that folds reductions over the rows of their arguments, all with the same number of rows. */
    static StageBuilder ofFolds(Settings settings, List<Expr> folds) {
        Shape rows = Shape.of(folds.get(0).children().get(0).shape().size(0));
        boolean onDriver = true;
        StageBuilder builder = new StageBuilder(settings, Stage.Kind.FOLD, rows, 0);
        for (Expr fold : folds) {
            builder.addOver(fold);
            onDriver &= builder.fitsDriver(fold.children().get(0));
        }
        return onDriver ? builder.as(Stage.Kind.DRIVER) : builder;
    }

    /** A stage for a function of lines that run through all rows: in chunks where each goes on from the one before. */
    static StageBuilder ofLines(Settings settings, Along along) {
        Shape argument = along.operand().shape();
        StageBuilder builder = RowFold.scansRows(along)
                ? new StageBuilder(settings, Stage.Kind.SCAN, argument, 0)
                : new StageBuilder(settings, Stage.Kind.WHOLE, Shape.of(Sizes.rows(argument)), 0);
        builder.addOver(along);
        return builder.fitsDriver(along.operand()) ? builder.as(Stage.Kind.DRIVER) : builder;
    }

    /**
     * A stage that goes along the one dimension which a reduction takes away, in steps, and is cut along another one; empty where that leaves an operand that is
     * too large, or where parts of the reduction cannot be joined to its very bits.
     */
    static Optional<StageBuilder> ofStream(Settings settings, Reduce reduce) {
        Shape domain = reduce.operand().shape();
        if (reduce.dims().length != 1 || reduce.reduction().isDeviation() || domain.numel() == 0) {
            return Optional.empty();
        }
        int along = reduce.dims()[0];
        for (int dim = 0; dim < domain.rank(); dim++) {
            if (dim != along && domain.size(dim) > 1) {
                StageBuilder builder = new StageBuilder(settings, Stage.Kind.STREAM, domain, dim, along);
                Expr rewritten =
                        builder.operands.rewrite(reduce.operand(), Alignment.own(domain.rank(), builder.cutDims));
                builder.outputs.add(Rewrite.over(reduce, List.of(rewritten)));
                builder.onDriver().forEach(builder.operands.obstacles()::add);
                return builder.fitsReplicas() ? Optional.of(builder) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** What the driver would have to send step by step: in chunks on the cluster, tasks find it themselves. */
    private List<Expr> onDriver() {
        return operands.found().stream()
                .filter(operand -> isCut(operand) && !isCutByTasks(operand))
                .filter(operand -> operand.source().residence() == Residence.DRIVER
                        || operand.source().residence() == Residence.RESULT)
                .map(operand -> (Expr) operand.leaf().input())
                .toList();
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

    /** A function of all rows, over what is cut along them. */
    private void addOver(Expr function) {
        Expr argument = function.children().get(0);
        Expr rewritten =
                operands.rewrite(argument, Alignment.own(argument.shape().rank(), 0));
        outputs.add(Rewrite.over(function, List.of(rewritten)));
    }

    /** What has to be computed in chunks of its own before this stage can be built. */
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
        return ofChunks(settings, argument, Planner.Want.CHUNKS).cutDims.length > 1
                ? Optional.of(argument)
                : Optional.empty();
    }

    /** Whether each operand is cut, finely enough, or small. */
    boolean fitsReplicas() {
        return operands.found().stream().allMatch(operand -> leastBytes(operand) <= settings.replicateBytes());
    }

    /** What a task has to hold of an operand, where the cuts are as fine as can be. */
    private long leastBytes(Found operand) {
        long bytes = wholeBytes(operand);
        for (int dim : cutDims) {
            bytes /= operand.access().follows(dim) ? Math.max(1, domain.size(dim)) : 1;
        }
        return isCutEverywhere(operand) ? 0 : bytes;
    }

    /** Whether the driver computes this faster than it starts a job: only small things, none of them cut into chunks. */
    private boolean fitsDriver(Expr root) {
        long bytes = Sizes.bytes(root.dtype(), root.shape());
        for (Found operand : operands.found()) {
            if (isCut(operand) && operand.source().residence() != Residence.RESULT) {
                return false;
            }
            bytes = Sizes.sum(bytes, operand.source().sizeBytes());
        }
        return settings.device().equals("cpu") && bytes <= settings.chunkBytes();
    }

    private boolean isCut(Found operand) {
        return Arrays.stream(cutDims).anyMatch(operand.access()::follows);
    }

    private boolean isCutEverywhere(Found operand) {
        return Arrays.stream(cutDims).allMatch(operand.access()::follows);
    }

    /** Whether tasks differ in what they need of it. */
    private boolean isCutByTasks(Found operand) {
        return Arrays.stream(taskDims()).anyMatch(operand.access()::follows);
    }

    /** The dimensions along which there are tasks: a stream goes along the other one. */
    private int[] taskDims() {
        return kind == Stage.Kind.STREAM ? new int[] {cutDims[0]} : cutDims;
    }

    private long wholeBytes(Found operand) {
        return Math.min(
                operand.source().sizeBytes(),
                Sizes.bytes(operand.source().dtype(), operand.access().most(domain)));
    }

    /** The stage, once there are no obstacles. */
    Stage build(String text) {
        ChunkGrid grid = grid();
        List<Operand> built = new ArrayList<>();
        for (Found operand : operands.found()) {
            built.add(operand(operand, grid));
        }
        Stage stage = new Stage(kind, outputs, built, grid, text);
        Refusals.check(stage, settings);
        return stage;
    }

    private ChunkGrid grid() {
        boolean whole = kind == Stage.Kind.DRIVER || kind == Stage.Kind.WHOLE || cutDims.length == 0;
        if (whole) {
            return ChunkGrid.whole(domain);
        }
        if (cutDims.length > 1) {
            return new BlockCuts(settings, domain, cutDims, outputs, operands.found()).grid();
        }
        int dim = cutDims[0];
        List<RowCuts.Follower> followers = new ArrayList<>();
        for (Found operand : operands.found()) {
            if (operand.access().follows(dim)) {
                Source source = operand.source();
                ChunkGrid own = source.grid();
                @Nullable RowGrid cuts = own == null ? null : operand.access().cuts(own, dim, domain.size(dim));
                followers.add(new RowCuts.Follower(source, cuts, wholeBytes(operand) / Math.max(1, domain.size(dim))));
            }
        }
        long outputBytes =
                kind == Stage.Kind.FOLD ? 0 : Sizes.indexBytes(outputs.get(0).dtype(), domain, dim);
        RowGrid cuts = new RowCuts(settings, domain.size(dim), followers).of(outputs, outputBytes);
        RowGrid[] along = new RowGrid[dim + 1];
        Arrays.setAll(along, d -> d == dim ? cuts : RowGrid.whole(domain.size(d)));
        return ChunkGrid.of(domain, along);
    }

    private Operand operand(Found found, ChunkGrid steps) {
        ChunkGrid grid = kind == Stage.Kind.STREAM ? steps.without(cutDims[1]) : steps;
        Transport transport = transport(found, grid);
        Strategy strategy = strategy(found, transport, grid);
        String reason = new Reasons(domain, cutDims, taskDims(), kind, grid).of(found, strategy, transport);
        long shuffled = transport == Transport.SHUFFLE ? Overlaps.neededBytes(found, grid) : 0;
        int slot = (Integer) found.slot().source();
        return new Operand(slot, found.source(), found.access(), strategy, transport, shuffled, reason);
    }

    private Strategy strategy(Found found, Transport transport, ChunkGrid grid) {
        if (!isCut(found)) {
            return Strategy.REPLICATE;
        }
        if (transport == Transport.SHUFFLE) {
            return Strategy.SHUFFLE;
        }
        if (!Arrays.stream(taskDims()).allMatch(found.access()::follows)) {
            return Strategy.GRID;
        }
        return transport == Transport.PARENT && !Overlaps.areSameCuts(found, grid) ? Strategy.RESLICE : Strategy.ALIGN;
    }

    private Transport transport(Found found, ChunkGrid grid) {
        if (kind == Stage.Kind.DRIVER) {
            return Transport.NONE;
        }
        if (!isCut(found)) {
            return Transport.BROADCAST;
        }
        Source source = found.source();
        return switch (source.residence()) {
            case FILE -> Overlaps.ofRows(found, grid).isWasteful() ? Transport.SHUFFLE : Transport.FILE;
            case CLUSTER -> Overlaps.ofChunks(found, grid).isWasteful() ? Transport.SHUFFLE : Transport.PARENT;
            case DRIVER, RESULT ->
                source.sizeBytes() > settings.chunkBytes() && grid.chunks() > 1
                        ? Transport.CHUNK_BROADCAST
                        : Transport.BROADCAST;
        };
    }
}
