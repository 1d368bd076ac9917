package io.github.broadloom.device.cpu;

import io.github.broadloom.expr.Contraction;
import io.github.broadloom.lanes.Panels;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A contraction as products of matrices. Each tensor has batch dimensions first, in which both operands vary, then two more: of
 * one operand rows and places, of the other places and columns, of the product rows and columns. An operand that has no single
 * stride there is copied.
 */
final class ProductNest implements AutoCloseable {
    private final List<Integer> batches = new ArrayList<>();
    private final List<Integer> rows = new ArrayList<>();
    private final List<Integer> columns = new ArrayList<>();
    private final List<Integer> contracted = new ArrayList<>();
    private final List<Integer> ones = new ArrayList<>();
    private final List<Tensor> copies = new ArrayList<>();
    private final Contraction contraction;
    private final Tensor result;
    private final Tensor target;
    private final Matrices left;
    private final Matrices right;
    private final Matrices product;

    /** The operands' values; none has a dimension without elements. */
    ProductNest(Contraction contraction, Tensor a, Tensor b) {
        this.contraction = contraction;
        for (int dim = 0; dim < a.rank(); dim++) {
            roleOf(dim, a.shape().size(dim) != 1, b.shape().size(dim) != 1).add(dim);
        }
        Tensor first = stacked(a, rows, contracted);
        Tensor second = stacked(b, contracted, columns);
        this.result = Tensors.empty(contraction.dtype(), contraction.shape());
        this.target = target(first, second);
        int last = target.rank() - 1;
        Matrices rowsOf = new Matrices(first, last - 1, last);
        Matrices columnsOf = new Matrices(second, last, last - 1);
        Matrices made = new Matrices(target, last - 1, last);
        boolean isNarrow = columnsOf.lines() < Panels.COLUMNS && columnsOf.lines() < rowsOf.lines();
        this.left = isNarrow ? columnsOf : rowsOf; // a tile has more columns than rows
        this.right = isNarrow ? rowsOf : columnsOf;
        this.product = isNarrow ? made.transposed() : made;
    }

    private List<Integer> roleOf(int dim, boolean inLeft, boolean inRight) {
        if (contraction.contracts(dim)) {
            return contracted;
        }
        if (inLeft && inRight) {
            return batches;
        }
        return inLeft ? rows : inRight ? columns : ones;
    }

    /** The tensor as matrices: the batch dimensions as they are, the others as two. */
    private Tensor stacked(Tensor tensor, List<Integer> lines, List<Integer> others) {
        List<Integer> order = new ArrayList<>(batches);
        order.addAll(lines);
        order.addAll(others);
        IntStream.range(0, tensor.rank()).filter(dim -> !order.contains(dim)).forEach(order::add);
        Shape shape = tensor.shape();
        long[] sizes = LongStream.concat(
                        batches.stream().mapToLong(shape::size),
                        LongStream.of(count(shape, lines), count(shape, others)))
                .toArray();
        Tensor stacked = tensor.permute(ints(order)).reshape(sizes);
        if (stacked.storage() != tensor.storage()) {
            copies.add(stacked);
        }
        return stacked;
    }

    /** The result as matrices, or, where it has no such view, other memory for them. */
    private Tensor target(Tensor first, Tensor second) {
        long[] sizes = first.shape().toArray();
        sizes[sizes.length - 1] = second.shape().size(sizes.length - 1);
        Shape shape = Shape.of(sizes);
        Layout ordered = result.layout().permute(resultOrder());
        return ordered.tryView(shape).map(result::asStrided).orElseGet(() -> Tensors.empty(result.dtype(), shape));
    }

    /** The dimensions of the result, batches first, then rows and columns. */
    private int[] resultOrder() {
        List<Integer> order = new ArrayList<>(batches);
        order.addAll(rows);
        order.addAll(columns);
        order.addAll(ones);
        return order.stream()
                .mapToInt(dim -> dim
                        - (int) contracted.stream().filter(other -> other < dim).count())
                .toArray();
    }

    private static long count(Shape shape, List<Integer> dims) {
        return dims.stream().mapToLong(shape::size).reduce(1, (a, b) -> a * b);
    }

    private static int[] ints(List<Integer> dims) {
        return dims.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The left operands, of which the lines are rows. */
    Matrices left() {
        return left;
    }

    /** The right operands, of which the lines are columns. */
    Matrices right() {
        return right;
    }

    /** Where the products go, rows as lines. */
    Matrices product() {
        return product;
    }

    /** The contraction's value, fresh and contiguous, when the products are there. */
    Tensor result() {
        if (target.storage() == result.storage()) {
            return result;
        }
        int[] order = resultOrder();
        long[] sizes = Arrays.stream(order).mapToLong(result.shape()::size).toArray();
        int[] back = new int[order.length];
        for (int place = 0; place < order.length; place++) {
            back[order[place]] = place;
        }
        Tensor ordered = target.view(sizes).permute(back).copy();
        target.storage().release();
        result.storage().release();
        return ordered;
    }

    @Override
    public void close() {
        copies.forEach(copy -> copy.storage().release());
    }
}
