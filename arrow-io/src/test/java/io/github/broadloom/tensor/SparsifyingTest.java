package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From dense tensors to sparse ones. */
class SparsifyingTest {
    @Test
    void sparsifyingKeepsWhatIsNotZero() {
        Tensor dense = Tensors.copyOf(new float[] {0, -0f, 1, Float.NaN, 0, Float.MIN_VALUE}, 2, 3);
        SparseTensor sparse = SparseTensor.fromDense(dense);
        assertThat(sparse.isCoalesced()).isTrue();
        assertThat(sparse.indices().toLongArray()).containsExactly(0, 1, 1, 2, 0, 2);
        assertThat(sparse.values().toFloatArray()).containsExactly(1, Float.NaN, Float.MIN_VALUE);
        SparseTensor turned = dense.t().toSparse();
        assertThat(turned.indices().toLongArray()).containsExactly(0, 2, 2, 1, 0, 1);
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void denseToSparseAndBackIsTheSame(DType dtype) {
        Tensor dense = Tensors.of(0, 0, 1, 0, 3, 0).to(dtype).view(3, 2);
        for (int sparseDim = 1; sparseDim <= 2; sparseDim++) {
            SparseTensor sparse = SparseTensor.fromDense(dense, sparseDim);
            assertThat(sparse.nnz()).isEqualTo(2);
            assertThat(sparse.toDense().values()).isEqualTo(dense.values());
        }
    }

    @Test
    void blocksAreKeptWholeWhereOneElementIsNotZero() {
        Tensor dense = Tensors.copyOf(new int[] {0, 0, 0, 5, 0, 0}, 3, 2);
        SparseTensor sparse = SparseTensor.fromDense(dense, 1);
        assertThat(sparse.indices().toLongArray()).containsExactly(1);
        assertThat(sparse.values().toIntArray()).containsExactly(0, 5);
        assertThat(SparseTensor.fromDense(Tensors.zeros(3, 0), 1).values().shape())
                .isEqualTo(Shape.of(0, 0));
        assertThat(SparseTensor.fromDense(Tensors.scalar(3.0)).nnz()).isEqualTo(1);
        assertThat(SparseTensor.fromDense(Tensors.scalar(0.0)).nnz()).isZero();
    }

    @Test
    void aNumberOfSparseDimensionsThatDoesNotFitIsRefused() {
        Tensor dense = Tensors.zeros(2, 2);
        assertThatThrownBy(() -> SparseTensor.fromDense(dense, 3))
                .hasMessage("dense_to_sparse: sparse_dim argument must be in [0,2] range, but 3 is given");
        assertThatThrownBy(() -> SparseTensor.fromDense(dense, 0))
                .hasMessage("dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0");
    }
}
