package io.github.broadloom.cpu.products;

import io.github.broadloom.cpu.memory.Matrices;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.MatrixDims;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A contraction as products of matrices. Each tensor has batch dimensions first, in which both operands vary, then two more: of
 * one operand rows and places, of the other places and columns, of the product rows and columns. An operand that has no single
 * stride there is copied.
 */
final class MatrixNest implements AutoCloseable {
    private final MatrixDims dims;
    private final List<Tensor> copies = new ArrayList<>();
    private final Tensor result;
    private final Tensor target;
    /** The left operands, of which the lines are rows. */
    final Matrices left;

    /** The right operands, of which the lines are columns. */
    final Matrices right;

    /** Where the products go, rows as lines. */
    final Matrices product;

    /** The operands' values; none has a dimension without elements. */
    MatrixNest(Contraction contraction, Tensor a, Tensor b) {
        this.dims = MatrixDims.of(contraction);
        Tensor first = stacked(a, dims.rows(), dims.places());
        Tensor second = stacked(b, dims.places(), dims.columns());
        this.result = Tensors.empty(contraction.dtype(), contraction.shape());
        this.target = target(first, second);
        int last = target.rank() - 1;
        Matrices rowsOf = new Matrices(first, last - 1, last);
        Matrices columnsOf = new Matrices(second, last, last - 1);
        Matrices made = new Matrices(target, last - 1, last);
        boolean isNarrow = columnsOf.lines() < MicroKernels.COLUMNS && columnsOf.lines() < rowsOf.lines();
        this.left = isNarrow ? columnsOf : rowsOf; // a tile has more columns than rows
        this.right = isNarrow ? rowsOf : columnsOf;
        this.product = isNarrow ? made.transposed() : made;
    }

    /** The tensor as matrices: the batch dimensions as they are, the others as two. */
    private Tensor stacked(Tensor tensor, List<Integer> lines, List<Integer> along) {
        Tensor stacked = tensor.permute(dims.order(tensor.rank(), lines, along))
                .reshape(dims.matrices(tensor.shape(), lines, along).toArray());
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
        Layout ordered = result.layout().permute(dims.resultOrder());
        return ordered.tryView(shape).map(result::asStrided).orElseGet(() -> Tensors.empty(result.dtype(), shape));
    }

    /** The contraction's value, fresh and contiguous, when the products are there. */
    Tensor result() {
        if (target.storage() == result.storage()) {
            return result;
        }
        int[] order = dims.resultOrder();
        long[] sizes = Arrays.stream(order).mapToLong(result.shape()::size).toArray();
        Tensor ordered = target.view(sizes).permute(MatrixDims.inverse(order)).copy();
        target.storage().release();
        result.storage().release();
        return ordered;
    }

    @Override
    public void close() {
        copies.forEach(copy -> copy.storage().release());
    }
}
