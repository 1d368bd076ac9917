package io.github.broadloom.plan;

import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.plan.Source.Residence;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes one stage: walks its outputs, finds for every node whether its rows are the stage's rows or it is needed whole,
 * and turns each input into a numbered operand.
 *
 * <p>A node's rows are the stage's rows while its rank and its leading size are those of the node above: broadcasting
 * lines dimensions up from the right, so an operand of lower rank has no row of its own, and one whose leading size is
 * 1 has a single row for all.
 */
final class StageBuilder {
    private final Settings settings;
    private final int rank;
    private final long rows;
    private final List<Found> found = new ArrayList<>();

    /** An operand as found: the input that stands for it, and the shape of a node that uses it. */
    private record Found(Source source, Strategy strategy, Input slot, Shape above) {}

    /** @param shape of what the stage goes over, row by row */
    StageBuilder(Settings settings, Shape shape) {
        this.settings = settings;
        this.rank = shape.rank();
        this.rows = Sizes.rows(shape);
    }

    /** A stage that leaves the chunks of {@code root}, or its value on the driver. */
    static Stage ofChunks(Settings settings, Expr root, Planner.Want want, String text) {
        StageBuilder builder = new StageBuilder(settings, root.shape());
        Strategy strategy = root.shape().rank() == 0 ? Strategy.REPLICATE : Strategy.ALIGN;
        Expr output = builder.rewrite(root, strategy, root.shape());
        boolean onDriver = want == Planner.Want.VALUE && builder.fitsDriver(root);
        return builder.stage(onDriver ? Stage.Kind.DRIVER : Stage.Kind.CHUNKS, List.of(output), text);
    }

    /** A stage that folds reductions over the rows of their arguments, all with the same number of rows. */
    static Stage ofFolds(Settings settings, List<Expr> folds, String text) {
        StageBuilder builder =
                new StageBuilder(settings, folds.get(0).children().get(0).shape());
        List<Expr> outputs = new ArrayList<>();
        boolean onDriver = true;
        for (Expr fold : folds) {
            Expr argument = fold.children().get(0);
            outputs.add(Rewrite.over(fold, List.of(builder.rewrite(argument, Strategy.ALIGN, argument.shape()))));
            onDriver &= builder.fitsDriver(argument);
        }
        return builder.stage(onDriver ? Stage.Kind.DRIVER : Stage.Kind.FOLD, outputs, text);
    }

    /** A stage for a function of lines that run through all rows. */
    static Stage ofWhole(Settings settings, Expr along, String text) {
        Expr argument = along.children().get(0);
        StageBuilder builder = new StageBuilder(settings, argument.shape());
        Expr output = Rewrite.over(along, List.of(builder.rewrite(argument, Strategy.ALIGN, argument.shape())));
        Stage.Kind kind = builder.fitsDriver(argument) ? Stage.Kind.DRIVER : Stage.Kind.WHOLE;
        return builder.stage(kind, List.of(output), text);
    }

    /** Rewrites the graph under {@code root}, whose dimension 0 is the stage's rows where {@code strategy} is to align. */
    private Expr rewrite(Expr root, Strategy strategy, Shape above) {
        List<Expr> order = root.postOrder();
        Map<Expr, EnumMap<Strategy, Shape>> uses = uses(root, order, strategy, above);
        Map<Expr, EnumMap<Strategy, Expr>> done = new IdentityHashMap<>();
        for (Expr node : order) {
            EnumMap<Strategy, Expr> built = new EnumMap<>(Strategy.class);
            uses.getOrDefault(node, new EnumMap<>(Strategy.class))
                    .forEach((use, user) -> built.put(use, rebuilt(node, use, user, done)));
            done.put(node, built);
        }
        return done(done, root, strategy);
    }

    /** For every node how it is used, parents first, with the shape of a node that uses it so. */
    private Map<Expr, EnumMap<Strategy, Shape>> uses(Expr root, List<Expr> order, Strategy strategy, Shape above) {
        Map<Expr, EnumMap<Strategy, Shape>> uses = new IdentityHashMap<>();
        uses.put(root, new EnumMap<>(Map.of(strategy, above)));
        for (int i = order.size() - 1; i >= 0; i--) {
            Expr node = order.get(i);
            for (Strategy use : Set.copyOf(
                    uses.getOrDefault(node, new EnumMap<>(Strategy.class)).keySet())) {
                for (Expr child : node.children()) {
                    uses.computeIfAbsent(child, c -> new EnumMap<>(Strategy.class))
                            .put(useOf(child, node, use), node.shape());
                }
            }
        }
        return uses;
    }

    private Strategy useOf(Expr child, Expr node, Strategy use) {
        Shape shape = child.shape();
        boolean sameRows = use == Strategy.ALIGN
                && shape.rank() > 0
                && shape.size(0) == rows
                && (node instanceof Reduce
                        || node instanceof Along
                        || shape.rank() == node.shape().rank());
        return sameRows ? Strategy.ALIGN : Strategy.REPLICATE;
    }

    private Expr rebuilt(Expr node, Strategy use, Shape user, Map<Expr, EnumMap<Strategy, Expr>> done) {
        if (node instanceof Input input) {
            return slot(input, use, user);
        }
        List<Expr> children = new ArrayList<>();
        for (Expr child : node.children()) {
            children.add(done(done, child, useOf(child, node, use)));
        }
        return Rewrite.over(node, children);
    }

    private static Expr done(Map<Expr, EnumMap<Strategy, Expr>> done, Expr node, Strategy use) {
        EnumMap<Strategy, Expr> built = done.get(node);
        Expr result = built == null ? null : built.get(use);
        if (result == null) {
            throw new IllegalStateException("A node was used before it was rewritten: " + node);
        }
        return result;
    }

    private Expr slot(Input input, Strategy strategy, Shape above) {
        if (!(input.source() instanceof Source source)) {
            throw new IllegalStateException("Not a source of a distributed tensor: " + input.source());
        }
        for (Found known : found) {
            if (known.source == source && known.strategy == strategy) {
                return known.slot;
            }
        }
        Input slot = Input.of(found.size(), input.dtype(), input.shape());
        found.add(new Found(source, strategy, slot, above));
        return slot;
    }

    /** Whether the driver computes this faster than it starts a job: only small things, none of them cut into chunks. */
    private boolean fitsDriver(Expr root) {
        long bytes = Sizes.bytes(root.dtype(), root.shape());
        for (Found operand : found) {
            if (operand.strategy == Strategy.ALIGN && operand.source.residence() != Residence.RESULT) {
                return false;
            }
            bytes += operand.source.sizeBytes();
        }
        return settings.device().equals("cpu") && bytes <= settings.chunkBytes();
    }

    private Stage stage(Stage.Kind kind, List<Expr> outputs, String text) {
        List<Source> aligned = found.stream()
                .filter(operand -> operand.strategy == Strategy.ALIGN)
                .map(Found::source)
                .toList();
        RowGrid grid = new RowCuts(settings, rows, aligned).of(kind, outputs);
        List<Operand> operands = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            operands.add(operand(i, found.get(i), kind, grid));
        }
        Stage stage = new Stage(kind, outputs, operands, grid, text);
        Refusals.check(stage, settings);
        return stage;
    }

    private Operand operand(int slot, Found operand, Stage.Kind kind, RowGrid grid) {
        Source source = operand.source;
        boolean aligned = operand.strategy == Strategy.ALIGN;
        long rowBytes = aligned ? Sizes.rowBytes(source.dtype(), source.shape()) : source.sizeBytes();
        Transport transport = transport(operand, kind, grid);
        String reason = aligned ? alignedReason(source, transport, grid) : wholeReason(operand, kind);
        return new Operand(slot, source, operand.strategy, transport, rowBytes, reason);
    }

    private Transport transport(Found operand, Stage.Kind kind, RowGrid grid) {
        if (kind == Stage.Kind.DRIVER) {
            return Transport.NONE;
        }
        if (operand.strategy == Strategy.REPLICATE) {
            return Transport.BROADCAST;
        }
        return switch (operand.source.residence()) {
            case FILE -> Transport.FILE;
            case CLUSTER -> Transport.PARENT;
            case DRIVER, RESULT ->
                operand.source.sizeBytes() > settings.chunkBytes() && grid.chunks() > 1
                        ? Transport.CHUNK_BROADCAST
                        : Transport.BROADCAST;
        };
    }

    private String alignedReason(Source source, Transport transport, RowGrid grid) {
        String same = rows == 1 ? "its one row is the result's" : "leading size " + rows + " is the result's";
        return same + ", "
                + switch (transport) {
                    case FILE -> "each task reads its byte range";
                    case PARENT ->
                        source.hasGrid(grid)
                                ? "same cuts"
                                : "cut differently (" + source.grid() + "), each task takes the overlapping chunks";
                    case BROADCAST -> "small, so it travels whole and each task slices its rows";
                    case CHUNK_BROADCAST -> "each task fetches its rows from the driver";
                    case NONE -> "on the driver";
                };
    }

    private String wholeReason(Found operand, Stage.Kind kind) {
        Shape shape = operand.slot.shape();
        String why;
        if (shape.rank() == 0) {
            why = "a scalar";
        } else if (shape.rank() < operand.above.rank()) {
            why = "rank " + shape.rank() + " below " + operand.above.rank();
        } else if (shape.size(0) == 1 && rows != 1) {
            why = "leading size 1 against " + rows;
        } else if (shape.rank() < rank) {
            why = "rank " + shape.rank() + " below " + rank;
        } else {
            why = "part of an operand that every row needs";
        }
        return why + (kind == Stage.Kind.DRIVER ? ", on the driver" : ", so every task needs all of it");
    }
}
