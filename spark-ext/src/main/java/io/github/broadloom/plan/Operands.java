package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Grouped;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Rearrange;
import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.plan.Source.Residence;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The operands of a stage: finds for every node of its outputs how it is aligned with what the stage goes over, and puts a numbered input in the place of
 * every source, each as often as it is used in another way.
 */
final class Operands {
    /** Each takes 16 bytes, and every task gets them. */
    static final int MOST_PLACES = 1 << 20;

    private final Settings settings;
    private final Shape domain;
    private final int[] cutDims;
    private final List<Found> found = new ArrayList<>();
    private final Set<Expr> obstacles = new LinkedHashSet<>();
    private final Map<Gather, Optional<Spans>> known = new IdentityHashMap<>();

    /**
     * @param domain what the stage goes over
     * @param cutDims the dimensions along which that is cut
     */
    Operands(Settings settings, Shape domain, int[] cutDims) {
        this.settings = settings;
        this.domain = domain;
        this.cutDims = cutDims;
    }

    /** @param above the shape of a node that uses it */
    record Found(ViewedInput viewed, Alignment alignment, Access access, Input slot, Shape above) {
        Source source() {
            return viewed.source();
        }

        /** Whether it is cut where one of these dimensions of the stage is. */
        boolean isCut(int... dims) {
            return Arrays.stream(dims).anyMatch(access::follows);
        }

        /** The bytes of all that a stage which goes over {@code domain} needs of it. */
        long wholeBytes(Shape domain) {
            return Math.min(source().sizeBytes(), Sizes.bytes(source().dtype(), access.most(domain)));
        }
    }

    /** An input of an expression, with the view ops, the first one first, that carry its elements to where the expression uses them. */
    record ViewedInput(Input input, List<ViewOp> viewOps) {
        /** What a node is; empty where something is computed below it. */
        static Optional<ViewedInput> of(Expr node) {
            List<ViewOp> viewOps = new ArrayList<>();
            Expr below = node;
            while (below instanceof Rearrange rearrange) {
                viewOps.add(rearrange.viewOp());
                below = rearrange.operand();
            }
            Collections.reverse(viewOps);
            return below instanceof Input input ? Optional.of(new ViewedInput(input, viewOps)) : Optional.empty();
        }

        Source source() {
            if (!(input.source() instanceof Source source)) {
                throw new IllegalStateException("Not a source of a distributed tensor: " + input.source());
            }
            return source;
        }

        Shape shape() {
            Shape shape = input.shape();
            for (ViewOp viewOp : viewOps) {
                shape = viewOp.apply(shape);
            }
            return shape;
        }
    }

    /** In the order of their slots. */
    List<Found> found() {
        return found;
    }

    /** Whether any of them lies in blocks, which are better kept. */
    boolean areInBlocks() {
        return found.stream()
                .map(operand -> operand.source().grid())
                .anyMatch(grid -> grid != null && !grid.cutsRowsAlone());
    }

    /** What has to be computed, in chunks of its own, before the stage can use it; while there is any, the stage cannot be built. */
    Set<Expr> obstacles() {
        return obstacles;
    }

    /** The graph under {@code root}, which is aligned so, over slots; {@code root} itself where there are obstacles. */
    Expr rewrite(Expr root, Alignment alignment) {
        List<Expr> order = root.postOrder();
        Map<Expr, Map<Alignment, Shape>> uses = uses(root, order, alignment);
        if (!obstacles.isEmpty()) {
            return root;
        }
        Map<Expr, Map<Alignment, Expr>> done = new IdentityHashMap<>();
        for (Expr node : order) {
            Map<Alignment, Expr> built = new HashMap<>();
            uses.getOrDefault(node, Map.of()).forEach((use, above) -> built.put(use, rebuilt(node, use, above, done)));
            done.put(node, built);
        }
        return done(done, root, alignment);
    }

    /** For every node that is computed or read, how it is aligned, parents first, with the shape of a node that uses it so. */
    private Map<Expr, Map<Alignment, Shape>> uses(Expr root, List<Expr> order, Alignment alignment) {
        Map<Expr, Map<Alignment, Shape>> uses = new IdentityHashMap<>();
        uses.put(root, new HashMap<>(Map.of(alignment, root.shape())));
        for (int i = order.size() - 1; i >= 0; i--) {
            Expr node = order.get(i);
            Optional<ViewedInput> viewed = ViewedInput.of(node);
            for (Alignment use : Set.copyOf(uses.getOrDefault(node, Map.of()).keySet())) {
                if (viewed.isPresent()) {
                    checkReached(node, viewed.get(), use);
                } else if (node != root && isApart(node, use)) {
                    obstacles.add(node);
                } else {
                    useChildren(node, use, uses);
                }
            }
        }
        return uses;
    }

    private void useChildren(Expr node, Alignment use, Map<Expr, Map<Alignment, Shape>> uses) {
        if (isExchanged(node, use)) {
            obstacles.add(node);
            return;
        }
        for (int i = 0; i < node.children().size(); i++) {
            Expr child = node.children().get(i);
            Optional<Alignment> childUse = ofChild(node, i, use);
            if (childUse.isEmpty()) {
                obstacles.add(use.isThrough(node) ? node : child);
            } else {
                uses.computeIfAbsent(child, c -> new HashMap<>()).put(childUse.get(), node.shape());
            }
        }
    }

    /** Whether a stage of its own brings together what indices name: a chunk of this one would need all of the operand. */
    private boolean isExchanged(Expr node, Alignment use) {
        return node instanceof Gather gather
                && use.of(gather.dim()) != Alignment.NONE
                && places(node, use).isEmpty()
                && PassChoice.isExchanged(settings, gather);
    }

    /**
     * Whether a stage of its own computes a node: segments, or what is looked up in something large, that several chunks would compute, and segments of which each chunk needs all, as those for which
     * what they are of would have to be brought together, which is more.
     */
    private boolean isApart(Expr node, Alignment use) {
        if (node instanceof Gather gather) {
            return use.isShared(gather.dim()) && PassChoice.isLargeAway(settings, gather.operand());
        }
        if (!(node instanceof Grouped grouped) || grouped.by() == Grouped.By.LABELS) {
            return false;
        }
        int dim = grouped.dim();
        if (use.of(dim) != Alignment.NONE) {
            return use.isShared(dim);
        }
        Expr operand = grouped.operand();
        int[] cut = IntStream.range(0, operand.shape().rank())
                .filter(d -> use.of(d) != Alignment.NONE)
                .toArray();
        boolean isLess = 2 * Sizes.bytes(grouped) <= Sizes.bytes(operand);
        return !StageBuilder.isWithinBlocks(settings, operand, dim)
                && (cut.length == 0 || isLess && StageBuilder.isShuffled(settings, operand, cut));
    }

    private Optional<Alignment> ofChild(Expr node, int position, Alignment use) {
        Optional<Spans> places = position == 0 ? places(node, use) : Optional.empty();
        return places.isPresent()
                ? Optional.of(use.ofPlaces((Gather) node, places.get()))
                : use.ofChild(node, position);
    }

    /** What a gather along a dimension that is cut names in its order, so that no chunk needs all of a large operand; empty where nobody knows. */
    private Optional<Spans> places(Expr node, Alignment use) {
        boolean isCut = node instanceof Gather gather
                && use.of(gather.dim()) != Alignment.NONE
                && gather.indices().size() == 1
                && gather.isOfParts()
                && Sizes.bytes(gather.operand()) > settings.chunkBytes();
        return isCut ? known.computeIfAbsent((Gather) node, Operands::places) : Optional.empty();
    }

    private static Optional<Spans> places(Gather gather) {
        Expr index = gather.indices().get(0);
        long count = index.shape().numel();
        long size = gather.operand().shape().size(gather.dim());
        return count > MOST_PLACES
                ? Optional.empty()
                : KnownIntegers.of(index, count)
                        .filter(each -> each.areWithin(size))
                        .filter(each -> each.ascend() && each.leaveOutFew())
                        .map(each -> each.places(size));
    }

    /** A new shape after another move is out of reach: the first moves are an obstacle. */
    private void checkReached(Expr node, ViewedInput viewed, Alignment use) {
        if (Access.of(viewed.input().shape(), viewed.viewOps(), use).isEmpty()) {
            obstacles.add(node.children().get(0));
        }
    }

    private Expr rebuilt(Expr node, Alignment use, Shape above, Map<Expr, Map<Alignment, Expr>> done) {
        Optional<ViewedInput> viewed = ViewedInput.of(node);
        if (viewed.isPresent()) {
            return slot(viewed.get(), use, above);
        }
        List<Expr> children = new ArrayList<>();
        for (int i = 0; i < node.children().size(); i++) {
            children.add(
                    done(done, node.children().get(i), ofChild(node, i, use).orElseThrow()));
        }
        if (places(node, use).isPresent()) { // a chunk has the operand from what its first index names on
            Expr index = children.get(1);
            Expr first = Expr.rearrange(index, new ViewOp.Crop(((Gather) node).dim(), 0, 1, 1));
            children.set(1, Expr.apply(Op.of("sub"), index, first));
        }
        return node.withChildren(children);
    }

    private static Expr done(Map<Expr, Map<Alignment, Expr>> done, Expr node, Alignment use) {
        Expr result = done.getOrDefault(node, Map.of()).get(use);
        if (result == null) {
            throw new IllegalStateException("A node was used before it was rewritten: " + node);
        }
        return result;
    }

    /** The operand of a gather of which each chunk asks for what its indices name; an obstacle where there are no chunks to be asked. */
    Expr lookedUp(Gather gather, Alignment alignment) {
        Expr operand = gather.operand();
        boolean isAway = operand instanceof Input input
                && input.source() instanceof Source source
                && source.residence().isAway();
        if (!isAway) {
            obstacles.add(operand);
            return operand;
        }
        Input slot = Input.of(found.size(), operand.dtype(), operand.shape());
        ViewedInput viewed = new ViewedInput((Input) operand, List.of());
        found.add(new Found(viewed, alignment, LookupAccess.of(gather), slot, gather.shape()));
        return slot;
    }

    private Expr slot(ViewedInput viewed, Alignment alignment, Shape above) {
        for (Found known : found) {
            if (known.source() == viewed.source()
                    && known.viewed.viewOps().equals(viewed.viewOps())
                    && known.alignment.equals(alignment)) {
                return known.slot;
            }
        }
        Input slot = Input.of(found.size(), viewed.input().dtype(), viewed.shape());
        Access access =
                Access.of(viewed.input().shape(), viewed.viewOps(), alignment).orElseThrow();
        found.add(new Found(viewed, alignment, access, slot, above));
        return slot;
    }

    /** Whether each operand is cut, finely enough, or small enough to be copied to every task. */
    boolean fitReplicas() {
        return found.stream().allMatch(operand -> leastBytes(operand) <= settings.replicateBytes());
    }

    /** What a task has to hold of an operand, where the cuts are as fine as can be. */
    private long leastBytes(Found operand) {
        if (Arrays.stream(cutDims).allMatch(operand.access()::follows)) {
            return 0;
        }
        long bytes = operand.wholeBytes(domain);
        for (int dim : cutDims) {
            bytes /= operand.access().follows(dim) ? Math.max(1, domain.size(dim)) : 1;
        }
        return bytes;
    }

    /** Whether the driver computes {@code root} faster than it starts a job: only small things, none of them cut into chunks. */
    boolean onDriver(Expr root) {
        long bytes = Sizes.bytes(root);
        for (Found operand : found) {
            if (operand.isCut(cutDims) && operand.source().residence() != Residence.RESULT) {
                return false;
            }
            bytes = Sizes.sum(bytes, operand.source().sizeBytes());
        }
        return !settings.device().startsWith("cuda") && bytes <= settings.chunkBytes();
    }

    /** Whether the foremost operand is too large for one chunk, and follows the stage along its own rows. */
    boolean areLedByRows() {
        Found first = found.stream()
                .min(Comparator.comparing(Found::source, RowCuts.PRECEDENCE))
                .orElseThrow();
        Source source = first.source();
        if (!source.residence().isAway() || source.sizeBytes() <= settings.chunkBytes() || domain.size(0) < 2) {
            return false;
        }
        Box half = first.access().box(Box.whole(Shape.of(domain.size(0) / 2)));
        return half.size(0) < source.shape().size(0);
    }

    /**
     * Whether all that is in chunks, or files of some, is cut at the same indices, so that tasks which go along those of one, along the last cut dimension, read those of the others as they lie, too. What has not
     * that dimension each task reads once.
     */
    boolean lieInTheSameBlocks() {
        return found.stream()
                        .filter(operand ->
                                operand.source().grid() != null && operand.isCut(cutDims[cutDims.length - 1]))
                        .map(this::bounds)
                        .distinct()
                        .count()
                <= 1;
    }

    private List<Object> bounds(Found operand) {
        ChunkGrid grid = Objects.requireNonNull(operand.source().grid());
        List<Object> bounds = new ArrayList<>();
        for (int dim : cutDims) {
            @Nullable KnownCuts cuts = operand.access().cuts(grid, dim, domain.size(dim));
            bounds.add(
                    cuts == null
                            ? List.of()
                            : Arrays.stream(cuts.bounds()).boxed().toList());
        }
        bounds.add(Optional.ofNullable(operand.source().piece()));
        return bounds;
    }

    /** What the driver would have to send step by step, along the last cut dimension: in chunks on the cluster, tasks find it themselves. */
    List<Expr> sentInSteps() {
        int last = cutDims.length - 1;
        return found.stream()
                .filter(operand -> operand.isCut(cutDims[last]) && !operand.isCut(Arrays.copyOf(cutDims, last)))
                .filter(operand -> !operand.source().residence().isAway())
                .map(operand -> (Expr) operand.viewed().input())
                .toList();
    }
}
