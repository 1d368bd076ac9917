package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;

/** What PyTorch's products of matrices refuse, in its order and its words. */
final class ProductErrors {
    /** Fewer elementary products are multiplied by PyTorch itself, the others by a library, with other errors. */
    private static final long FEWEST_FOR_LIBRARY = 400;

    private ProductErrors() {}

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    static void checkMatrices(DType dtype, long rows, long inner, Expr right) {
        Shape shape = right.shape();
        require(
                inner == shape.size(0),
                "mat1 and mat2 shapes cannot be multiplied (" + rows + "x" + inner + " and " + shape.size(0) + "x"
                        + shape.size(1) + ")");
        if (dtype != DType.BOOL || right.dtype() != dtype || !isEmpty(rows, inner, shape.size(1))) {
            checkMatrixTypes(dtype, right.dtype());
        }
    }

    /** PyTorch looks at no elements then, and takes dtypes that it refuses elsewhere. */
    static boolean isEmpty(long rows, long inner, long columns) {
        return rows == 0 || inner == 0 || columns == 0;
    }

    static void checkVector(DType dtype, long rows, long inner, Expr vector) {
        long length = vector.shape().size(0);
        require(
                inner == length,
                "size mismatch, got input (" + rows + "), mat (" + rows + "x" + inner + "), vec (" + length + ")");
        String other = vector.dtype().typeName();
        require(
                dtype == vector.dtype(),
                "addmv input tensors must have the same dtype, but got " + other + ", " + dtype.typeName() + ", and "
                        + other);
        require(dtype != DType.BOOL || isEmpty(rows, inner, 1), "\"addmv_impl_cpu\" not implemented for 'Bool'");
    }

    /** Matrices of {@code inner} columns, times others of {@code rows} rows. */
    static void checkBatch(long batches, long inner, long otherBatches, long rows) {
        require(
                batches == otherBatches && inner == rows,
                "Expected size for first two dimensions of batch2 tensor to be: [" + batches + ", " + inner
                        + "] but got: [" + otherBatches + ", " + rows + "].");
    }

    /**
     * The dtypes of batched matrices, by the routine that PyTorch takes for so much work.
     *
     * @param products how many elementary products make one matrix
     */
    static void checkBatchTypes(DType left, DType right, long products) {
        if (products < FEWEST_FOR_LIBRARY) {
            require(left != DType.BOOL, "\"bmm\" not implemented for 'Bool'");
            require(left == right, mixed(left, right));
        } else {
            require(left == right || right != DType.FLOAT32 && right != DType.FLOAT64, mixed(right, left));
            checkMatrixTypes(left, right);
        }
    }

    private static String mixed(DType expected, DType found) {
        return "expected scalar type " + expected.typeName() + " but found " + found.typeName();
    }

    private static void checkMatrixTypes(DType left, DType right) {
        require(
                left == right,
                "expected m1 and m2 to have the same dtype, but got: " + left.cxxName() + " != " + right.cxxName());
        require(left != DType.BOOL, "\"addmm_impl_cpu_\" not implemented for 'Bool'");
    }
}
