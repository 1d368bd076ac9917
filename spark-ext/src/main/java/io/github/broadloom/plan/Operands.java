package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The operands of a stage: finds for every node of its outputs how it is aligned with what the stage goes over, and puts a numbered input in the place of
 * every source, each as often as it is used in another way.
 */
final class Operands {
    private final List<Found> found = new ArrayList<>();
    private final Set<Expr> obstacles = new LinkedHashSet<>();

    /**
     * A source as an operand.
     *
     * @param leaf as it is used
     * @param access of a chunk to it
     * @param slot the input that stands for it
     * @param above the shape of a node that uses it
     */
    record Found(Leaf leaf, Alignment alignment, Access access, Input slot, Shape above) {
        Source source() {
            return leaf.source();
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
            Optional<Leaf> leaf = Leaf.of(node);
            for (Alignment use : Set.copyOf(uses.getOrDefault(node, Map.of()).keySet())) {
                if (leaf.isPresent()) {
                    checkReached(node, leaf.get(), use);
                } else {
                    useChildren(node, use, uses);
                }
            }
        }
        return uses;
    }

    private void useChildren(Expr node, Alignment use, Map<Expr, Map<Alignment, Shape>> uses) {
        for (int i = 0; i < node.children().size(); i++) {
            Expr child = node.children().get(i);
            Optional<Alignment> childUse = use.ofChild(node, i);
            if (childUse.isEmpty()) {
                obstacles.add(use.isThrough(node) ? node : child);
            } else {
                uses.computeIfAbsent(child, c -> new HashMap<>()).put(childUse.get(), node.shape());
            }
        }
    }

    /** A new shape after another move is out of reach: the first moves are an obstacle. */
    private void checkReached(Expr node, Leaf leaf, Alignment use) {
        if (Access.of(leaf.input().shape(), leaf.viewOps(), use).isEmpty()) {
            obstacles.add(node.children().get(0));
        }
    }

    private Expr rebuilt(Expr node, Alignment use, Shape above, Map<Expr, Map<Alignment, Expr>> done) {
        Optional<Leaf> leaf = Leaf.of(node);
        if (leaf.isPresent()) {
            return slot(leaf.get(), use, above);
        }
        List<Expr> children = new ArrayList<>();
        for (int i = 0; i < node.children().size(); i++) {
            children.add(done(done, node.children().get(i), use.ofChild(node, i).orElseThrow()));
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

    private Expr slot(Leaf leaf, Alignment alignment, Shape above) {
        for (Found known : found) {
            if (known.source() == leaf.source()
                    && known.leaf.viewOps().equals(leaf.viewOps())
                    && known.alignment.equals(alignment)) {
                return known.slot;
            }
        }
        Input slot = Input.of(found.size(), leaf.input().dtype(), leaf.shape());
        Access access =
                Access.of(leaf.input().shape(), leaf.viewOps(), alignment).orElseThrow();
        found.add(new Found(leaf, alignment, access, slot, above));
        return slot;
    }
}
