package io.github.broadloom.expr;

import io.github.broadloom.expr.ViewOp.Crop;
import io.github.broadloom.expr.ViewOp.Flip;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Carries a view op down an expression to where it costs nothing: through pointwise operations, which do the same at every
 * place, to the operands of each, and there, of a local tensor, the view op is a view. What shares a node before shares it
 * afterwards. An operand that is broadcast takes only what concerns its own dimensions.
 *
 * <p>A large expression is not carried through: it would be computed once more wherever it is used without the viewOp. Nor is a
 * view op that makes scalars of operands which promote otherwise as scalars, or one that mixes dimensions, which a broadcast
 * operand has not. A slice of what is joined is what is left of the parts, joined.
 */
public final class ViewPushdown {
    /** The most pointwise nodes that a view op passes; it bounds the recursion, too. */
    static final int MOST_NODES = 64;

    /** A field that is padded along two dimensions is joined twice. */
    private static final int MOST_JOINED = 4;

    private final Map<Expr, Map<List<ViewOp>, Expr>> sunk = new IdentityHashMap<>();

    private ViewPushdown() {}

    static Expr push(Expr operand, ViewOp viewOp) {
        if (viewOp.isIdentity(operand.shape()) && !(operand instanceof Literal)) {
            boolean copies =
                    viewOp instanceof Flip && operand instanceof Input; // a write to a copy does not reach the tensor
            return copies ? new Rearrange(operand, viewOp) : operand;
        }
        boolean passes = !viewOp.mixesDimensions() && isSmall(operand);
        return passes ? new ViewPushdown().push(operand, List.of(viewOp)) : settle(operand, List.of(viewOp));
    }

    private static boolean isSmall(Expr operand) {
        return passed(operand, Pointwise.class::isInstance).size() <= MOST_NODES;
    }

    /** Whether what is joined is no large expression, and not joined of what is joined again and again, as graphs would grow that are joined and sliced in turn. */
    private static boolean isSmall(Concat concat) {
        Set<Expr> passed = passed(
                concat, node -> node instanceof Pointwise || node instanceof Rearrange || node instanceof Concat);
        return passed.size() <= MOST_NODES
                && passed.stream().filter(Concat.class::isInstance).count() <= MOST_JOINED;
    }

    /** The nodes of those kinds that are reached through others of them: one more than a view op may pass at most. */
    private static Set<Expr> passed(Expr root, Predicate<Expr> passes) {
        Set<Expr> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Expr> waiting = new ArrayList<>(List.of(root));
        while (!waiting.isEmpty() && seen.size() <= MOST_NODES) {
            Expr node = waiting.remove(waiting.size() - 1);
            if (passes.test(node) && seen.add(node)) {
                waiting.addAll(node.children());
            }
        }
        return seen;
    }

    private Expr push(Expr node, List<ViewOp> viewOps) {
        if (viewOps.isEmpty()) {
            return node;
        }
        Map<List<ViewOp>, Expr> known = sunk.computeIfAbsent(node, n -> new HashMap<>());
        Expr done = known.get(viewOps);
        if (done == null) {
            Expr passed = node instanceof Pointwise ? pass(node, viewOps) : null;
            done = passed == null ? settle(node, viewOps) : passed;
            known.put(viewOps, done);
        }
        return done;
    }

    /** The operation over moved operands, or null where that would be another one. */
    private @Nullable Expr pass(Expr node, List<ViewOp> viewOps) {
        if (node instanceof Apply expansion && expansion.op() == Ops.EXPAND_AS) {
            Expr repeated = expansion.children().get(0);
            return Expr.expand(
                    push(repeated, adapted(viewOps, node.shape(), repeated.shape())),
                    shape(viewOps, node.shape()).toArray());
        }
        List<Expr> children = new ArrayList<>();
        for (Expr child : node.children()) {
            children.add(child instanceof Literal ? child : push(child, adapted(viewOps, node.shape(), child.shape())));
        }
        if (!(node instanceof Apply before)) {
            return children.get(0) instanceof Literal ? null : node.withChildren(children);
        }
        Expr moved = Expr.apply(before.op(), children.toArray(Expr[]::new));
        boolean same = moved instanceof Apply after
                && after.op() == before.op()
                && after.dtype() == before.dtype()
                && after.computeType() == before.computeType();
        return same ? moved : null;
    }

    private static Shape shape(List<ViewOp> viewOps, Shape shape) {
        Shape result = shape;
        for (ViewOp viewOp : viewOps) {
            result = viewOp.apply(result);
        }
        return result;
    }

    /** What view ops of a node mean for an operand that broadcasts to its shape. */
    private static List<ViewOp> adapted(List<ViewOp> viewOps, Shape node, Shape operand) {
        List<ViewOp> adapted = new ArrayList<>();
        Shape above = node;
        Shape own = operand;
        for (ViewOp viewOp : viewOps) {
            for (ViewOp part : viewOp.ofOperand(own, above)) {
                adapted.add(part);
                own = part.apply(own);
            }
            above = viewOp.apply(above);
        }
        return adapted;
    }

    /** The view ops of a node that they do not pass: views of a local tensor, else nodes, as few as will do. */
    private static Expr settle(Expr node, List<ViewOp> viewOps) {
        Expr settled = node instanceof Literal number ? Input.of(Tensors.scalar(number.value(), number.dtype())) : node;
        for (ViewOp viewOp : viewOps) {
            settled = settle(settled, viewOp);
        }
        return settled;
    }

    private static Expr settle(Expr operand, ViewOp viewOp) {
        if (viewOp.isIdentity(operand.shape())) {
            return operand;
        }
        if (operand instanceof Input input && input.source() instanceof Tensor tensor) {
            Optional<Layout> view = viewOp.view(tensor.layout());
            if (view.isPresent()) {
                return input.withView(tensor.asStrided(view.get()));
            }
        }
        if (operand instanceof Concat concat && viewOp instanceof Crop crop && isSmall(concat)) {
            return cropped(concat, crop);
        }
        if (operand instanceof Rearrange inner) {
            List<ViewOp> merged =
                    ViewOpFusion.merge(inner.viewOp(), viewOp, inner.operand().shape());
            if (merged != null) {
                Expr result = inner.operand();
                for (ViewOp part : merged) {
                    result = Expr.rearrange(result, part);
                }
                return result;
            }
        }
        return new Rearrange(operand, viewOp);
    }

    /** What is left of the parts, joined; also of one, because a write to what was joined does not reach it. */
    private static Expr cropped(Concat concat, Crop crop) {
        if (crop.dim() != concat.dim()) {
            return Expr.concat(
                    concat.children().stream()
                            .map(part -> Expr.rearrange(part, crop))
                            .toList(),
                    concat.dim());
        }
        List<Expr> left = new ArrayList<>();
        long begin = 0;
        for (Expr part : concat.children()) {
            long size = part.shape().size(crop.dim());
            long skipped = Math.max(0, (begin - crop.start() + crop.step() - 1) / crop.step());
            long start = crop.start() + skipped * crop.step() - begin;
            long stop = Math.min(size, crop.stop() - begin);
            if (start < stop) {
                left.add(Expr.rearrange(part, new Crop(crop.dim(), start, stop, crop.step())));
            }
            begin += size;
        }
        return left.isEmpty() ? new Rearrange(concat, crop) : Expr.concat(left, crop.dim());
    }
}
