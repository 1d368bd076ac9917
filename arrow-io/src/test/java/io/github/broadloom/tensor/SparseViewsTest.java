package io.github.broadloom.tensor;

import static io.github.broadloom.tensor.SparseParts.indices;
import static io.github.broadloom.tensor.SparseParts.row;
import static io.github.broadloom.tensor.SparseParts.uncoalesced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.shape.Shape;
import org.junit.jupiter.api.Test;

/** Other orders of a sparse tensor's dimensions. */
class SparseViewsTest {
    @Test
    void dimensionsChangePlaces() {
        SparseTensor sparse = uncoalesced();
        assertThat(sparse.t().toDense().toFloatArray()).containsExactly(0, 0, 3, 0, 0, 4);
        assertThat(sparse.coalesce().t().isCoalesced()).isFalse();
        assertThat(sparse.permute(1, 0).shape()).isEqualTo(Shape.of(3, 2));
        assertThat(sparse.unsqueeze(1).shape()).isEqualTo(Shape.of(2, 1, 3));
        assertThat(sparse.unsqueeze(-1).toDense().toFloatArray()).containsExactly(0, 3, 0, 0, 0, 4);
        SparseTensor hybrid =
                SparseTensor.of(indices(row(0, 1)), Tensors.arange(12).view(2, 2, 3));
        assertThat(hybrid.permute(0, 2, 1).toDense().toLongArray())
                .containsExactly(0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11);
        assertThat(hybrid.transpose(2, -1)).isSameAs(hybrid);
        assertThat(hybrid.unsqueeze(1).sparseDim()).isEqualTo(2);
        assertThat(hybrid.unsqueeze(2).shape()).isEqualTo(Shape.of(2, 2, 1, 3));
        assertThat(hybrid.unsqueeze(2).sparseDim()).isEqualTo(1);
    }

    @Test
    void sparseDimensionsAreTransposedBesideDenseOnes() {
        SparseTensor hybrid =
                SparseTensor.of(indices(row(0, 1), row(2, 0)), Tensors.arange(4).view(2, 2));
        SparseTensor turned = hybrid.transpose(0, -2);
        assertThat(turned.shape()).isEqualTo(Shape.of(3, 2, 2));
        assertThat(turned.toDense().toLongArray()).containsExactly(0, 0, 2, 3, 0, 0, 0, 0, 0, 1, 0, 0);
    }

    @Test
    void wrongDimensionsAreRefusedInPyTorchsWords() {
        SparseTensor hybrid = SparseTensor.of(indices(row(0, 1)), Tensors.zeros(2, 3));
        assertThatThrownBy(hybrid::t)
                .hasMessage("t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got 1 sparse and 1 dense"
                        + " dimensions");
        assertThatThrownBy(() -> hybrid.transpose(0, 1))
                .hasMessage("sparse transpose: transposed dimensions must be sparse Got sparse_dim: 1, d0: 0, d1: 1");
        assertThatThrownBy(() -> hybrid.permute(1, 0)).hasMessageContaining("between sparse and dense dimensions");
        assertThatThrownBy(() -> hybrid.permute(0))
                .hasMessageEndingWith("input.dim() = 2 is not equal to len(dims) = 1");
        assertThatThrownBy(() -> hybrid.permute(0, 0)).hasMessage("permute(): duplicate dims are not allowed.");
        assertThatThrownBy(() -> hybrid.unsqueeze(5))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("Dimension out of range (expected to be in range of [-3, 2], but got 5)");
    }
}
