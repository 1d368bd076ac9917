package io.github.broadloom.expr;

import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Einstein's sums as {@code torch.einsum}: a letter for each dimension, the same letter for dimensions that go together, an
 * ellipsis for those that broadcast; what does not stand behind the arrow is summed. Without an arrow the result has the
 * letters that stand once, capitals first.
 *
 * <p>As in PyTorch two operands at a time are taken from the left, and what only one of them has is summed before. Where
 * something of both is summed, the operands must have one dtype, which is not bool, and it is a {@link Contraction};
 * elsewhere it is a product that promotes.
 */
public final class Einsum {
    private final Subscripts subscripts;

    /** How many operands not yet used are of more than size one at each place. */
    private final int[] counts;

    private Einsum(Subscripts subscripts) {
        this.subscripts = subscripts;
        this.counts = new int[subscripts.rank()];
    }

    /**
     * The expression that the equation says.
     *
     * @throws IllegalArgumentException with PyTorch's text, for an equation that is none or does not suit the operands, and
     *     for dtypes that do not go together
     */
    public static Expr of(String equation, List<Expr> operands) {
        ProductErrors.require(
                !operands.isEmpty(),
                "einsum(): must specify the equation string and at least one operand, or at least one operand and its"
                        + " subscripts list");
        int[] ranks =
                operands.stream().mapToInt(operand -> operand.shape().rank()).toArray();
        return new Einsum(Subscripts.parse(equation, ranks)).build(operands);
    }

    private Expr build(List<Expr> operands) {
        checkSizes(operands);
        List<Expr> lined = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            Expr operand = linedUp(operands.get(i), subscripts.places(i));
            lined.add(operand);
            for (int place = 0; place < counts.length; place++) {
                counts[place] += operand.shape().size(place) == 1 ? 0 : 1;
            }
        }
        int[] summed =
                IntStream.range(subscripts.outputRank(), subscripts.rank()).toArray();
        if (lined.size() == 1) {
            return sum(lined.get(0), summed, KeepDim.DROP);
        }
        Expr product = lined.get(0);
        for (Expr operand : lined.subList(1, lined.size())) {
            product = pair(product, operand, summed);
        }
        for (int i = summed.length; i > 0; i--) {
            product = ViewOps.squeeze(product, -1);
        }
        return product;
    }

    private void checkSizes(List<Expr> operands) {
        long[] sizes = new long[subscripts.rank()];
        Arrays.fill(sizes, 1);
        for (int i = 0; i < operands.size(); i++) {
            Shape shape = operands.get(i).shape();
            int[] places = subscripts.places(i);
            for (int dim = 0; dim < places.length; dim++) {
                int place = places[dim];
                long size = shape.size(dim);
                int first = firstAt(places, place);
                if (first < dim) {
                    ProductErrors.require(
                            size == shape.size(first),
                            "einsum(): subscript " + subscripts.letterAt(place) + " is repeated for operand " + i
                                    + " but the sizes don't match, " + size + " != " + shape.size(first));
                } else if (size != 1) {
                    ProductErrors.require(
                            sizes[place] == 1 || sizes[place] == size, conflict(i, dim, place, size, sizes[place]));
                    sizes[place] = size;
                }
            }
        }
    }

    /** PyTorch leaves a space out, too. */
    private String conflict(int operand, int dim, int place, long size, long seen) {
        char letter = subscripts.letterAt(place);
        return letter == '.'
                ? "einsum(): dimension " + dim + " covered by ellipsis in operand " + operand + "has size " + size
                        + " which does not broadcast with previously seen ellipsis with size " + seen
                        + " for the respective dimension"
                : "einsum(): subscript " + letter + " has size " + size + " for operand " + operand
                        + " which does not broadcast with previously seen size " + seen;
    }

    private static int firstAt(int[] places, int place) {
        return IntStream.range(0, places.length)
                .filter(dim -> places[dim] == place)
                .findFirst()
                .orElse(places.length);
    }

    /** The operand with each of its dimensions at its place, and dimensions of size one elsewhere. */
    private Expr linedUp(Expr operand, int[] places) {
        Expr lined = operand;
        List<Integer> targets = new ArrayList<>();
        for (int place : places) {
            int first = targets.indexOf(place);
            if (first < 0) {
                targets.add(place);
            } else {
                lined = diagonal(lined, first, targets.size());
            }
        }
        int[] order = IntStream.range(0, targets.size())
                .boxed()
                .sorted((a, b) -> Integer.compare(targets.get(a), targets.get(b)))
                .mapToInt(Integer::intValue)
                .toArray();
        lined = ViewOps.permute(lined, order);
        for (int place = 0; place < subscripts.rank(); place++) {
            lined = targets.contains(place) ? lined : ViewOps.unsqueeze(lined, place);
        }
        return lined;
    }

    /** The elements with the same index in two dimensions of one size, at the place of the first. */
    private static Expr diagonal(Expr operand, int first, int second) {
        int rank = operand.shape().rank();
        int[] others = IntStream.range(0, rank)
                .filter(dim -> dim != first && dim != second)
                .toArray();
        int[] order = IntStream.concat(Arrays.stream(others), IntStream.of(first, second))
                .toArray();
        Expr squares = ViewOps.flatten(ViewOps.permute(operand, order), rank - 2, rank - 1);
        Expr lines = ViewOps.slice(squares, -1, Slice.every(operand.shape().size(first) + 1));
        return ViewOps.movedim(lines, -1, first);
    }

    /** The product of two operands, summed over what no other operand has; summed dimensions stay with size one. */
    private Expr pair(Expr left, Expr right, int[] summed) {
        List<Integer> ofBoth = new ArrayList<>();
        List<Integer> ofLeft = new ArrayList<>();
        List<Integer> ofRight = new ArrayList<>();
        for (int dim : summed) {
            boolean inLeft = left.shape().size(dim) != 1;
            boolean inRight = right.shape().size(dim) != 1;
            if (inLeft && inRight && --counts[dim] == 1) {
                ofBoth.add(dim);
            } else if (inLeft != inRight && counts[dim] == 1) {
                (inLeft ? ofLeft : ofRight).add(dim);
            }
        }
        Expr a = sum(left, Dims.array(ofLeft), KeepDim.KEEP);
        Expr b = sum(right, Dims.array(ofRight), KeepDim.KEEP);
        if (ofBoth.isEmpty()) {
            return Expr.apply(Ops.MUL, a, b);
        }
        Expr product = Products.batched(a, b, Dims.array(ofBoth));
        for (int dim : ofBoth) {
            product = ViewOps.unsqueeze(product, dim);
        }
        return product;
    }

    private static Expr sum(Expr operand, int[] dims, KeepDim keepDim) {
        return dims.length == 0 ? operand : Expr.reduce(Reduction.SUM, operand, keepDim, dims);
    }
}
