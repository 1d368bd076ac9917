package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Promotion.Term;
import io.github.broadloom.dtype.Typed;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A tensor expression: an immutable graph without cycles whose nodes may be shared. Every node is typed and shaped when
 * it is made, by PyTorch's rules, so that an error rises at the line that the user wrote. Nodes are compared by identity.
 *
 * <p>Nothing here recurses over the graph, so that its depth is bounded by memory alone.
 */
public sealed interface Expr extends Serializable, Typed permits Expr.Leaf, Computed {
    /** A node that is computed from no others. */
    sealed interface Leaf extends Expr permits Input, Literal {
        @Override
        default List<Expr> children() {
            return List.of();
        }

        @Override
        default Expr withChildren(List<Expr> children) {
            return this;
        }

        @Override
        default boolean hasIndependentRows() {
            return true;
        }
    }

    @Override
    DType dtype();

    Shape shape();

    /** Where the operands are: that of its tensors, which are all on one device but for zero-dim ones on the CPU. */
    Device device();

    /** Whether {@link BroadcastWarning} looks at lines that use this: what its inputs say, or null where this JVM's switch decides. */
    default @Nullable Boolean warned() {
        return null;
    }

    /** The nodes that this one is computed from, in order; the same node may stand twice. */
    List<Expr> children();

    /** This node over other children (as many), typed and shaped anew; itself over its own. */
    Expr withChildren(List<Expr> children);

    /** Whether a row of this node needs the same row of the children that {@linkplain #goesWithRowsOf go with its rows}, and no other. */
    boolean hasIndependentRows();

    /** Whether the rows of a child go with those of this node, whose rows are independent; else each row needs all of the child. */
    default boolean goesWithRowsOf(Expr child) {
        return child.shape().rank() > 0 && shape().rank() > 0 && child.shape().size(0) == shape().size(0);
    }

    /** What the visitor says of this kind of node. */
    <R> R accept(Visitor<R> visitor);

    /** What is said of each kind of node: a kind that somebody forgot does not compile. */
    interface Visitor<R> {
        R input(Input input);

        R literal(Literal literal);

        R apply(Apply apply);

        R cast(Cast cast);

        R reduce(Reduce reduce);

        R along(Along along);

        R rearrange(Rearrange rearrange);

        R concat(Concat concat);

        R contraction(Contraction contraction);

        R gather(Gather gather);

        R filter(Filter filter);

        R search(Search search);

        R grouped(Grouped grouped);
    }

    /**
     * How this node takes part in promotion: a literal as a plain number, anything else of rank 0 as a zero-dim tensor,
     * the rest as a dimensioned tensor.
     */
    @Override
    default Term term() {
        return Term.tensor(dtype(), shape().rank());
    }

    /**
     * An operation on broadcast arguments. Where every argument is a literal, the result is the literal that Python
     * computes: numbers among themselves are no tensors.
     *
     * @throws IllegalArgumentException with PyTorch's text, for shapes that do not broadcast and dtypes that the
     *     operation does not take
     */
    static Expr apply(Op op, Expr... args) {
        return Apply.of(op, List.of(args));
    }

    /** A conversion; of a tensor that has the dtype already, the tensor itself. */
    static Expr cast(Expr operand, DType dtype) {
        if (operand.dtype() == dtype && !(operand instanceof Literal)) {
            return operand;
        }
        return new Cast(operand, dtype);
    }

    /**
     * An expression repeated to other sizes as {@code Tensor.expand} does, of which -1 keeps one. It costs nothing:
     * neither here nor on a cluster is an element stored more than once.
     *
     * @throws IllegalArgumentException with PyTorch's text, where a dimension that would change is not of size one
     */
    static Expr expand(Expr operand, long... sizes) {
        return ViewOps.expand(operand, sizes);
    }

    /**
     * The sum over dimensions of the product of two operands with as many dimensions, as {@link Contraction} says; {@link
     * Products} and {@link Einsum} make it of matrices and of equations.
     *
     * @throws IllegalArgumentException with PyTorch's text, where dtypes differ or are bool, or shapes do not go together
     */
    static Expr contract(Expr left, Expr right, int... dims) {
        return Contraction.of(left, right, dims);
    }

    /**
     * The elements of an expression at other places. The view op is carried down through pointwise operations: of a local
     * tensor its view, and a {@link Rearrange} node of what has to be computed first; {@link ViewOps} has the view ops by
     * PyTorch's names.
     *
     * @param viewOp one that suits the shape of the operand
     */
    static Expr rearrange(Expr operand, ViewOp viewOp) {
        return ViewPushdown.push(operand, viewOp);
    }

    /**
     * Expressions one behind the other along a dimension, a negative one counting from the end; their dtypes promote.
     *
     * @throws IllegalArgumentException with PyTorch's text, where there is none, or one does not fit to the first
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist
     */
    static Expr concat(List<Expr> operands, int dim) {
        return Concat.of(operands, dim);
    }

    /**
     * A plain number, as Python's: a Boolean, or any Number, of which integers count as int and the others as float.
     *
     * @throws IllegalArgumentException for anything else, and for integers beyond 64 bits
     */
    static Expr literal(Object value) {
        return Literal.of(value);
    }

    /**
     * A reduction over dimensions; negative ones count from the end, and none named means all.
     *
     * @throws IndexOutOfBoundsException with PyTorch's text, for a dimension that does not exist, or that has no element
     *     where the reduction needs one
     * @throws IllegalArgumentException with PyTorch's text, for a dimension named twice, or a dtype without such a result
     */
    static Expr reduce(Reduction reduction, Expr operand, KeepDim keepDim, int... dims) {
        return Reduce.of(reduction, operand, 1, keepDim, dims);
    }

    /**
     * As {@link #reduce(Reduction, Expr, KeepDim, int...)}; squared deviations are divided by the number of values less
     * {@code correction}, or by 0 where that is negative. PyTorch's default is 1.
     */
    static Expr reduce(Reduction reduction, Expr operand, double correction, KeepDim keepDim, int... dims) {
        return Reduce.of(reduction, operand, correction, keepDim, dims);
    }

    /** All distinct nodes of this graph, children before parents, this node last. */
    default List<Expr> postOrder() {
        return Graphs.postOrder(this);
    }

    /** The distinct inputs, in the order in which they first appear from left to right. */
    default List<Input> inputs() {
        List<Input> inputs = new ArrayList<>();
        for (Expr node : postOrder()) {
            if (node instanceof Input input) {
                inputs.add(input);
            }
        }
        return inputs;
    }

    /** This graph with nodes, found by identity, replaced by others; what does not change is the same node. */
    default Expr replace(Map<Expr, Expr> replacements) {
        return Graphs.rewrite(this, (node, over) -> replacements.getOrDefault(node, over));
    }

    /**
     * This graph with every input replaced, typed and shaped anew from the bottom up. Shared nodes stay shared, and what
     * does not change is the same node; {@code replacement} is asked once for each distinct input.
     */
    default Expr mapInputs(Function<Input, ? extends Expr> replacement) {
        return Graphs.mapInputs(List.of(this), replacement).get(0);
    }
}
