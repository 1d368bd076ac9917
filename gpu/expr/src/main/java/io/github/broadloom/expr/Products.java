package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Matrix products of expressions by PyTorch's names; each becomes a {@link Contraction}. Both operands have one dtype, and not bool.
 * Errors are PyTorch's, which names them by the routine that it would have called: a product of a vector is not that of a matrix.
 */
public final class Products {
    private Products() {}

    /**
     * The matrix product as {@code torch.matmul}: of two vectors a scalar; of a matrix and a vector a vector; of matrices a
     * matrix; of more dimensions the products of the matrices in the last two, the others broadcast.
     */
    public static Expr matmul(Expr left, Expr right) {
        int leftRank = left.shape().rank();
        int rightRank = right.shape().rank();
        if (leftRank == 0 || rightRank == 0) {
            throw new IllegalArgumentException("both arguments to matmul need to be at least 1D, but they are "
                    + leftRank + "D and " + rightRank + "D");
        }
        if (leftRank == 1 && rightRank == 1) {
            return dot(left, right);
        }
        long inner = left.shape().size(leftRank - 1);
        long outer = left.shape().without(leftRank - 1).numel();
        if (leftRank == 2 && rightRank == 1) {
            return mv(left, right);
        }
        if (leftRank <= 2 && rightRank == 2) {
            ProductErrors.checkMatrices(left.dtype(), leftRank == 1 ? 1 : outer, inner, right);
        } else if (isFolded(left, right)) {
            checkFolded(left, right);
        } else {
            checkBatches(left, right);
        }
        return aligned(left, right);
    }

    /**
     * PyTorch takes the batches of one operand as further rows of a single matrix, where it need not copy for that; all that can be seen
     * of it are the errors.
     */
    private static boolean isFolded(Expr left, Expr right) {
        boolean leftLarger = left.shape().rank() >= right.shape().rank();
        Expr larger = leftLarger ? left : right;
        Expr smaller = leftLarger ? right : left;
        int rank = larger.shape().rank();
        if (rank < 3 || smaller.shape().rank() > 2 || left.shape().rank() == 2) {
            return false;
        }
        Layout own = larger instanceof Input input && input.source() instanceof Tensor tensor
                ? tensor.layout()
                : Layout.contiguous(larger.shape());
        Layout matrices = leftLarger ? own : own.transpose(rank - 2, rank - 1);
        boolean gapless = true;
        for (int dim = 0; dim < rank - 2; dim++) {
            gapless &= matrices.stride(dim)
                    == matrices.stride(dim + 1) * matrices.shape().size(dim + 1);
        }
        return gapless || matrices.shape().numel() == 0;
    }

    private static void checkFolded(Expr left, Expr right) {
        boolean leftLarger = left.shape().rank() >= right.shape().rank();
        Expr larger = leftLarger ? left : right;
        Expr smaller = leftLarger ? right : left;
        Shape shape = larger.shape();
        int innerDim = shape.rank() - (leftLarger ? 1 : 2);
        long rows = shape.without(innerDim).numel();
        if (smaller.shape().rank() == 1) {
            ProductErrors.checkVector(larger.dtype(), rows, shape.size(innerDim), smaller);
        } else {
            ProductErrors.checkMatrices(larger.dtype(), rows, shape.size(innerDim), smaller);
        }
    }

    private static void checkBatches(Expr left, Expr right) {
        long[] a = left.shape().toArray();
        long[] b = right.shape().toArray();
        Shape batch = Broadcasting.broadcastShapes(
                Shape.of(Arrays.copyOf(a, Math.max(0, a.length - 2))),
                Shape.of(Arrays.copyOf(b, Math.max(0, b.length - 2))));
        ProductErrors.checkBatch(batch.numel(), a[a.length - 1], batch.numel(), b[Math.max(0, b.length - 2)]);
        long rows = a.length > 1 ? a[a.length - 2] : 1;
        long columns = b.length > 1 ? b[b.length - 1] : 1;
        checkBatchTypes(left, right, batch.numel(), rows, a[a.length - 1], columns);
    }

    private static void checkBatchTypes(Expr left, Expr right, long batches, long rows, long inner, long columns) {
        if (batches > 0 && !ProductErrors.isEmpty(rows, inner, columns)) {
            ProductErrors.checkBatchTypes(left.dtype(), right.dtype(), rows * inner * columns);
        }
    }

    /** The dimensions lined up: batches, rows, contracted, columns; those of rows and columns only where there are some. */
    private static Expr aligned(Expr left, Expr right) {
        int leftRank = left.shape().rank();
        int rightRank = right.shape().rank();
        Expr a = rightRank > 1 ? ViewOps.unsqueeze(left, leftRank) : left;
        Expr b = leftRank > 1 ? ViewOps.unsqueeze(right, Math.max(0, rightRank - 2)) : right;
        int rank = Math.max(a.shape().rank(), b.shape().rank());
        int contracted = rank - (rightRank > 1 ? 2 : 1);
        return contract(withRank(a, rank), withRank(b, rank), contracted);
    }

    /** The contraction of operands that were checked; of no elements what PyTorch gives for any dtypes. */
    private static Expr contract(Expr left, Expr right, int... dims) {
        DType dtype = right.dtype();
        if (left.dtype() == dtype && dtype != DType.BOOL) {
            return Expr.contract(left, right, dims);
        }
        Shape shape = Dims.reduced(Broadcasting.broadcastShapes(left.shape(), right.shape()), KeepDim.DROP, dims);
        return Expr.expand(Expr.cast(Expr.literal(0), dtype), shape.toArray());
    }

    /** A contraction that PyTorch would do by its batched product. */
    static Expr batched(Expr left, Expr right, int... dims) {
        long batches = 1;
        long rows = 1;
        long columns = 1;
        long inner = Dims.count(left.shape(), dims);
        for (int dim = 0; dim < left.shape().rank(); dim++) {
            long ofLeft = left.shape().size(dim);
            long ofRight = right.shape().size(dim);
            int at = dim;
            if (IntStream.of(dims).anyMatch(contracted -> contracted == at)) {
                continue;
            }
            if (ofLeft != 1 && ofRight != 1) {
                batches *= ofLeft;
            } else {
                rows *= ofLeft;
                columns *= ofRight;
            }
        }
        checkBatchTypes(left, right, batches, rows, inner, columns);
        return contract(left, right, dims);
    }

    private static Expr withRank(Expr operand, int rank) {
        Expr padded = operand;
        while (padded.shape().rank() < rank) {
            padded = ViewOps.unsqueeze(padded, 0);
        }
        return padded;
    }

    /** The product of two matrices, {@code [n, k]} and {@code [k, m]}. */
    public static Expr mm(Expr left, Expr right) {
        ProductErrors.require(left.shape().rank() == 2, "self must be a matrix");
        ProductErrors.require(right.shape().rank() == 2, "mat2 must be a matrix");
        ProductErrors.checkMatrices(
                left.dtype(), left.shape().size(0), left.shape().size(1), right);
        return aligned(left, right);
    }

    /** The products of as many matrices, {@code [b, n, k]} and {@code [b, k, m]}; nothing broadcasts. */
    public static Expr bmm(Expr left, Expr right) {
        ProductErrors.require(left.shape().rank() == 3, "batch1 must be a 3D tensor");
        ProductErrors.require(right.shape().rank() == 3, "batch2 must be a 3D tensor");
        ProductErrors.checkBatch(
                left.shape().size(0),
                left.shape().size(2),
                right.shape().size(0),
                right.shape().size(1));
        checkBatchTypes(
                left,
                right,
                left.shape().size(0),
                left.shape().size(1),
                left.shape().size(2),
                right.shape().size(2));
        return aligned(left, right);
    }

    /** The product of a matrix {@code [n, k]} and a vector {@code [k]}. */
    public static Expr mv(Expr matrix, Expr vector) {
        int rank = matrix.shape().rank();
        if (rank == 0) {
            throw new IndexOutOfBoundsException("Dimension specified as 0 but tensor has no dimensions");
        }
        ProductErrors.require(
                rank == 2 && vector.shape().rank() == 1,
                "vector + matrix @ vector expected, got 1, " + rank + ", "
                        + vector.shape().rank());
        ProductErrors.checkVector(
                matrix.dtype(), matrix.shape().size(0), matrix.shape().size(1), vector);
        return aligned(matrix, vector);
    }

    /** The sum of the products of two vectors of one length. */
    public static Expr dot(Expr left, Expr right) {
        int leftRank = left.shape().rank();
        int rightRank = right.shape().rank();
        ProductErrors.require(
                leftRank == 1 && rightRank == 1,
                "1D tensors expected, but got " + leftRank + "D and " + rightRank + "D tensors");
        DType a = left.dtype();
        DType b = right.dtype();
        ProductErrors.require(
                a == b,
                "dot : expected both vectors to have same dtype, but found " + a.typeName() + " and " + b.typeName());
        long n = left.shape().size(0);
        long m = right.shape().size(0);
        ProductErrors.require(
                n == m,
                "inconsistent tensor size, expected tensor [" + n + "] and src [" + m
                        + "] to have the same number of elements, but got " + n + " and " + m
                        + " elements respectively");
        ProductErrors.require(a != DType.BOOL, "\"dot\" not implemented for 'Bool'");
        return aligned(left, right);
    }
}
