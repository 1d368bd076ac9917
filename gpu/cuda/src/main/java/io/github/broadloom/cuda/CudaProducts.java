package io.github.broadloom.cuda;

import io.github.broadloom.cuda.driver.CudaBuffers;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.MatrixDims;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The contractions of an evaluation as products of batches of matrices: views of their operands, and of the result, as far as there are some. */
final class CudaProducts {
    private final CudaBuffers buffers;
    private final CudaPasses passes;

    CudaProducts(CudaBuffers buffers, CudaPasses passes) {
        this.buffers = buffers;
        this.passes = passes;
    }

    /** Whether a node is one of them: sums of nothing are zeros, which need no kernel. */
    static boolean computes(Expr node) {
        return node instanceof Contraction contraction && contraction.contractedCount() > 0;
    }

    /** Straight into a target in which matrices have a view, else into one that is copied there. */
    void write(Contraction contraction, Tensor target) {
        MatrixDims dims = MatrixDims.of(contraction);
        Tensor ordered = target.permute(dims.resultOrder());
        Optional<Layout> matrices = ordered.layout().tryView(resultMatrices(contraction, dims));
        if (matrices.isPresent()) {
            multiply(contraction, dims, ordered.asStrided(matrices.get()));
        } else {
            leaf(contraction);
            passes.pointwise(contraction, target);
        }
    }

    void leaf(Contraction contraction) {
        MatrixDims dims = MatrixDims.of(contraction);
        Tensor matrices = buffers.memory(contraction.dtype(), resultMatrices(contraction, dims));
        multiply(contraction, dims, matrices);
        int[] order = dims.resultOrder();
        long[] sizes = Arrays.stream(order).mapToLong(contraction.shape()::size).toArray();
        buffers.putView(contraction, matrices.view(sizes).permute(MatrixDims.inverse(order)));
    }

    private static Shape resultMatrices(Contraction contraction, MatrixDims dims) {
        Shape left = contraction.left().shape();
        return Shape.of(
                MatrixDims.count(left, dims.batches()),
                MatrixDims.count(left, dims.rows()),
                MatrixDims.count(contraction.right().shape(), dims.columns()));
    }

    private void multiply(Contraction contraction, MatrixDims dims, Tensor into) {
        Tensor left = matrices(contraction.left(), dims, dims.rows(), dims.places());
        Tensor right = matrices(contraction.right(), dims, dims.places(), dims.columns());
        if (into.numel() > 0) {
            passes.product(contraction, left, right, into);
        }
    }

    /** An operand as a batch of matrices: a view where it has one, else a packed copy. */
    private Tensor matrices(Expr operand, MatrixDims dims, List<Integer> lines, List<Integer> along) {
        Tensor value = passes.value(operand);
        Shape shape = value.shape();
        long[] sizes = {
            MatrixDims.count(shape, dims.batches()), MatrixDims.count(shape, lines), MatrixDims.count(shape, along)
        };
        int[] order = dims.order(shape.rank(), lines, along);
        Tensor ordered = value.permute(order);
        return ordered.layout().tryView(Shape.of(sizes)).map(ordered::asStrided).orElseGet(() -> {
            Tensor packed = buffers.memory(value.dtype(), ordered.shape());
            passes.pointwise(operand, packed.permute(MatrixDims.inverse(order)));
            return packed.view(sizes);
        });
    }
}
