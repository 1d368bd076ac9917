package io.github.broadloom.sparse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.SparseTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Expected values are worked out by hand, or PyTorch's where the comment says so. */
class SparseTest {
    private static final Shape TERA = Shape.of(1_000_000, 1_000_000);

    private static Tensor matrix(int rows, long... values) {
        return Tensors.copyOf(values, rows, values.length / rows);
    }

    /** [[0, 3, 0], [0, 0, 4]], where the 3 is 1 + 2. */
    private static SparseTensor uncoalesced() {
        return SparseTensor.of(matrix(2, 0, 0, 1, 1, 1, 2), Tensors.of(1.0, 2.0, 4.0), Shape.of(2, 3));
    }

    /** [[10, 60, 0], [0, 0, 40]] in order. */
    private static SparseTensor coalesced() {
        return SparseTensor.of(matrix(2, 0, 0, 1, 0, 1, 2), Tensors.of(10.0, 60.0, 40.0), Shape.of(2, 3))
                .coalesce();
    }

    /** 5 at [7, 999999] and 6 at [999999, 0] of 10¹² elements. */
    private static SparseTensor tera() {
        return SparseTensor.of(matrix(2, 999_999, 7, 0, 999_999), Tensors.of(6.0, 5.0), TERA);
    }

    @Test
    void whatIsNotLinearIsComputedOnSums() {
        SparseTensor squared = Sparse.map(uncoalesced(), LazyTensor::square);
        assertThat(squared.isCoalesced()).isTrue();
        assertThat(squared.values().toFloatArray()).containsExactly(9, 16);
        assertThat(Sparse.sqrt(uncoalesced()).toDense().toFloatArray())
                .containsExactly(0, (float) Math.sqrt(3), 0, 0, 0, 2);
        assertThat(Sparse.pow(uncoalesced(), 2).values().toFloatArray()).containsExactly(9, 16);
        assertThat(Sparse.floorDivide(uncoalesced(), 2).values().toFloatArray()).containsExactly(1, 2);
    }

    @Test
    void whatIsLinearKeepsTheEntries() {
        assertThat(Sparse.neg(uncoalesced()).rawValues().toFloatArray()).containsExactly(-1, -2, -4);
        assertThat(Sparse.mul(uncoalesced(), 10).rawValues().toFloatArray()).containsExactly(10, 20, 40);
        assertThat(Sparse.div(uncoalesced(), 2).rawValues().toFloatArray()).containsExactly(0.5f, 1, 2);
        assertThat(Sparse.div(uncoalesced(), 0).rawValues().toFloatArray()).containsOnly(Float.POSITIVE_INFINITY);
        assertThat(Sparse.neg(coalesced()).isCoalesced()).isTrue();
    }

    @Test
    void anyExpressionThatMakesZeroOfZeroIsOneMap() {
        SparseTensor mapped = Sparse.map(coalesced(), x -> x.mul(2).sub(x).clamp(0, 50));
        assertThat(mapped.values().toFloatArray()).containsExactly(10, 50, 40);
        assertThat(Sparse.map(coalesced(), x -> x.gt(20)).toDense().toBooleanArray())
                .containsExactly(false, true, false, false, false, true);
        assertThat(Sparse.map(coalesced().to(DType.INT32), LazyTensor::sin).dtype())
                .isEqualTo(DType.FLOAT32);
    }

    @Test
    void anExpressionThatWouldFillTheZerosIsRefused() {
        assertThatThrownBy(() -> Sparse.map(coalesced(), LazyTensor::cos))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot map a sparse tensor: the expression makes 1.0 of the zeros that are not kept; use"
                        + " toDense() first");
        assertThatThrownBy(() -> Sparse.map(coalesced(), x -> x.lt(1))).hasMessageContaining("makes true of the zeros");
        assertThatThrownBy(() -> Sparse.map(coalesced(), LazyTensor::log)).hasMessageContaining("makes -Infinity");
        assertThatThrownBy(() -> Sparse.map(coalesced(), x -> x.sub(x.mean()))).hasMessageContaining("has a reduction");
        assertThatThrownBy(() -> Sparse.map(coalesced(), x -> x.cumsum(0))).hasMessageContaining("along a dimension");
        assertThatThrownBy(() -> Sparse.pow(coalesced(), 0))
                .hasMessage(
                        "pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor dense");
        assertThatThrownBy(() -> Sparse.neg(coalesced().to(DType.BOOL))).hasMessageStartingWith("Negation, the `-`");
    }

    @Test
    void aDenseFactorIsReadAtTheEntries() {
        Tensor dense = Tensors.copyOf(new float[] {1, 2, 3, 4, 5, 6}, 3, 2).t();
        SparseTensor product = Sparse.mul(uncoalesced(), dense);
        assertThat(product.values().toFloatArray()).containsExactly(9, 24);
        assertThat(Sparse.mul(dense, coalesced()).isCoalesced()).isTrue();
        assertThat(Sparse.div(coalesced(), dense).values().toFloatArray()).containsExactly(10, 20, 40 / 6f);
        assertThat(Sparse.mul(uncoalesced(), Tensors.scalar(0.5)).values().toFloatArray())
                .containsExactly(1.5f, 2);
    }

    @Test
    void aSmallerDenseFactorBroadcasts() {
        assertThat(Sparse.mul(coalesced(), Tensors.of(1, 2, 3)).values().toFloatArray())
                .containsExactly(10, 120, 120);
        Tensor column = Tensors.of(1, 100).view(2, 1);
        assertThat(Sparse.mul(coalesced(), column).values().toFloatArray()).containsExactly(10, 60, 4000);
    }

    @Test
    void aLargerDenseFactorRepeatsTheEntries() {
        Tensor factor = Tensors.of(1, 2).view(2, 1, 1);
        SparseTensor product = Sparse.mul(uncoalesced(), factor);
        assertThat(product.shape()).isEqualTo(Shape.of(2, 2, 3));
        assertThat(product.isCoalesced()).isTrue();
        assertThat(product.indices().toLongArray()).containsExactly(0, 0, 1, 1, 0, 1, 0, 1, 1, 2, 1, 2);
        assertThat(product.values().toFloatArray()).containsExactly(3, 4, 6, 8);
        SparseTensor column = SparseTensor.of(matrix(2, 1, 0), Tensors.of(5.0), Shape.of(2, 1));
        assertThat(Sparse.mul(column, Tensors.of(1, 2, 3).view(1, 3)).toDense().toFloatArray())
                .containsExactly(0, 0, 0, 5, 10, 15);
    }

    @Test
    void denseDimensionsBroadcastToo() {
        SparseTensor hybrid =
                SparseTensor.of(matrix(1, 2, 0), Tensors.copyOf(new float[] {1, 2, 3, 4}, 2, 2), Shape.of(3, 2));
        assertThat(Sparse.mul(hybrid, Tensors.of(10, 100)).toDense().toFloatArray())
                .containsExactly(30, 400, 0, 0, 10, 200);
        assertThat(Sparse.mul(hybrid, Tensors.of(1, 2, 3).view(3, 1)).toDense().toFloatArray())
                .containsExactly(3, 4, 0, 0, 3, 6);
        SparseTensor narrow = SparseTensor.of(matrix(1, 1), Tensors.of(7.0).view(1, 1), Shape.of(3, 1));
        assertThat(Sparse.mul(narrow, Tensors.of(1, 2)).toDense().toFloatArray())
                .containsExactly(0, 0, 7, 14, 0, 0);
    }

    @Test
    void shapesThatDoNotBroadcastAreRefused() {
        assertThatThrownBy(() -> Sparse.mul(coalesced(), Tensors.ones(4)))
                .hasMessage("The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension"
                        + " 1");
    }

    @Test
    void sparseFactorsMeetWhereBothHaveEntries() {
        SparseTensor both = Sparse.mul(
                coalesced(),
                SparseTensor.of(matrix(2, 1, 0, 2, 2), Tensors.of(3.0, 9.0), Shape.of(2, 3))
                        .coalesce());
        assertThat(both.isCoalesced()).isTrue();
        assertThat(both.indices().toLongArray()).containsExactly(1, 2);
        assertThat(both.values().toFloatArray()).containsExactly(120);
        assertThat(Sparse.mul(coalesced(), uncoalesced()).values().toFloatArray())
                .containsExactly(180, 160);
        assertThat(Sparse.mul(uncoalesced(), uncoalesced()).toDense().toFloatArray())
                .containsExactly(0, 9, 0, 0, 0, 16);
        assertThatThrownBy(() -> Sparse.mul(coalesced(), tera()))
                .hasMessage("sparse_binary_op_intersection_cpu(): expects sparse inputs with equal dimensionality,"
                        + " number of sparse dimensions, and shape of sparse dimensions");
    }

    @Test
    void sparseSumsHaveTheEntriesOfBoth() {
        SparseTensor sum = Sparse.add(uncoalesced(), coalesced());
        assertThat(sum.isCoalesced()).isFalse();
        assertThat(sum.toDense().toFloatArray()).containsExactly(10, 63, 0, 0, 0, 44);
        SparseTensor difference = Sparse.sub(coalesced(), uncoalesced().coalesce(), 2);
        assertThat(difference.isCoalesced()).isTrue();
        assertThat(difference.values().toFloatArray()).containsExactly(10, 54, 32);
        SparseTensor empty = SparseTensor.of(Tensors.zeros(2, 0), Tensors.of(new float[0]), Shape.of(2, 3));
        assertThat(Sparse.sub(empty, coalesced()).values().toFloatArray()).containsExactly(-10, -60, -40);
        assertThat(Sparse.add(coalesced(), empty).nnz()).isEqualTo(3);
    }

    @Test
    void sumsWithADenseTensorAreDense() {
        Tensor dense = Tensors.arange(6).view(2, 3);
        assertThat(Sparse.add(dense, uncoalesced()).toFloatArray()).containsExactly(0, 4, 2, 3, 4, 9);
        assertThat(Sparse.add(uncoalesced(), dense).toFloatArray()).containsExactly(0, 4, 2, 3, 4, 9);
        assertThat(Sparse.sub(dense, uncoalesced()).toFloatArray()).containsExactly(0, -2, 2, 3, 4, 1);
        assertThat(Sparse.sub(uncoalesced(), dense).toFloatArray()).containsExactly(0, 2, -2, -3, -4, -1);
        assertThat(Sparse.add(dense.to(DType.FLOAT32), uncoalesced(), 2.5).toFloatArray())
                .containsExactly(0, 8.5f, 2, 3, 4, 15);
        assertThat(dense.toLongArray()).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void sumsThatPyTorchRefusesAreRefusedInItsWords() {
        assertThatThrownBy(() -> Sparse.add(Tensors.ones(3), coalesced()))
                .hasMessage("add: expected 'self' and 'other' to have same size, but self has size [3] while other has"
                        + " size [2, 3] (FYI: dense-sparse addition does not currently support broadcasting)");
        assertThatThrownBy(() -> Sparse.add(coalesced(), tera()))
                .hasMessage("add: expected sizes of 'self' and 'other' to match, but [2, 3] != [1000000, 1000000]");
        SparseTensor rows = SparseTensor.fromDense(Tensors.ones(2, 3), 1);
        assertThatThrownBy(() -> Sparse.add(coalesced(), rows))
                .hasMessage("add: expected 'self' and 'other' to have same density, but 'self' has 2 sparse dimensions"
                        + " while 'other' has 1 sparse dimensions");
        SparseTensor integers = coalesced().to(DType.INT64);
        assertThatThrownBy(() -> Sparse.add(integers, integers, 1.5))
                .hasMessage("For integral input tensors, argument alpha must not be a floating point number.");
        SparseTensor bools = coalesced().to(DType.BOOL);
        assertThatThrownBy(() -> Sparse.sub(bools, bools)).hasMessageContaining("with two bool tensors");
        assertThatThrownBy(() -> Sparse.sub(Tensors.ones(2, 3), bools)).hasMessageContaining("with a bool tensor");
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void everyDTypePromotesAsDenseOnesDo(DType dtype) {
        SparseTensor ones = SparseTensor.of(matrix(1, 1, 1), Tensors.of(1, 1).to(dtype), Shape.of(2));
        Tensor dense = Tensors.of(3, 3).to(DType.INT16);
        DType common = dtype.isFloatingPoint() || dtype == DType.INT32 || dtype == DType.INT64 ? dtype : DType.INT16;
        double two = dtype == DType.BOOL ? 1 : 2;
        Tensor product = Sparse.mul(ones, dense).toDense();
        assertThat(product.dtype()).isEqualTo(common);
        assertThat(product.getDouble(1)).isEqualTo(3 * two);
        assertThat(Sparse.add(dense, ones).dtype()).isEqualTo(common);
        assertThat(Sparse.add(dense, ones).getDouble(1)).isEqualTo(3 + two);
        assertThat(Sparse.div(ones, 2).dtype()).isEqualTo(dtype.isFloatingPoint() ? dtype : DType.FLOAT32);
        assertThat(Sparse.div(ones, 2).toDense().getDouble(1)).isEqualTo(two / 2);
        assertThat(Sparse.sum(ones).item()).isEqualTo(dtype.isFloatingPoint() ? (Object) two : (Object) (long) two);
        assertThat(Sparse.add(ones, ones).dtype()).isEqualTo(dtype);
    }

    @Test
    void differencesOfUnsignedBytesWrap() {
        SparseTensor three = SparseTensor.of(matrix(1, 0), Tensors.of(3).to(DType.UINT8), Shape.of(2));
        assertThat(Sparse.sub(Tensors.of(1, 1).to(DType.UINT8), three).toIntArray())
                .containsExactly(254, 1);
        assertThat(Sparse.sub(three, Tensors.of(1, 1).to(DType.INT8)).toIntArray())
                .containsExactly(2, -1);
    }

    @Test
    void aNumberIsRoundedToFloat16First() { // 0.109924 is PyTorch's; the dense product is 0.109985
        SparseTensor half = SparseTensor.of(matrix(1, 0), Tensors.of(1.1).to(DType.FLOAT16), Shape.of(1));
        assertThat(Sparse.mul(half, 0.1).values().item()).isEqualTo(0.10992431640625);
    }

    @Test
    void sumsGoOverSparseAndDenseDimensions() {
        assertThat(Sparse.sum(uncoalesced()).item()).isEqualTo(7.0);
        SparseTensor columns = Sparse.sum(uncoalesced(), 0);
        assertThat(columns.shape()).isEqualTo(Shape.of(3));
        assertThat(columns.indices().toLongArray()).containsExactly(1, 2);
        assertThat(columns.values().toFloatArray()).containsExactly(3, 4);
        assertThat(Sparse.sumToDense(uncoalesced(), -1).toFloatArray()).containsExactly(3, 4);
        assertThat(Sparse.sumToDense(uncoalesced(), 0, 1).item()).isEqualTo(7.0);
        SparseTensor blocks =
                SparseTensor.of(matrix(2, 0, 1, 1, 0, 0, 0), Tensors.arange(12).view(3, 2, 2), Shape.of(2, 3, 2, 2));
        assertThat(Sparse.sumToDense(blocks, 0, 1).toLongArray()).containsExactly(12, 15, 18, 21);
        assertThat(Sparse.sumToDense(blocks, 0, 1, 2).toLongArray()).containsExactly(30, 36);
        SparseTensor inner = Sparse.sum(blocks, 2);
        assertThat(inner.shape()).isEqualTo(Shape.of(2, 3, 2));
        assertThat(inner.values().toLongArray()).containsExactly(2, 4, 28, 32);
        assertThat(Sparse.sum(blocks, 0, 2).values().toLongArray()).containsExactly(30, 36);
    }

    @Test
    void integersAreSummedInInt64() {
        SparseTensor bytes =
                SparseTensor.of(matrix(1, 0, 0), Tensors.of(100, 100).to(DType.INT8), Shape.of(3));
        assertThat(Sparse.sum(bytes).item()).isEqualTo(200L);
        assertThat(Sparse.sumToDense(bytes, 0).item()).isEqualTo(200L);
    }

    @Test
    void dimensionsThatCannotBeSummedOverAreRefused() {
        assertThatThrownBy(() -> Sparse.sum(coalesced(), 5))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("Dimension out of range (expected to be in range of [-2, 1], but got 5)");
        assertThatThrownBy(() -> Sparse.sum(coalesced(), 0, -2))
                .hasMessage("dim 0 appears multiple times in the list of dims");
        assertThatThrownBy(() -> Sparse.sum(coalesced(), 0, 1))
                .hasMessage("Cannot sum over dimensions [0, 1] to a sparse tensor: no sparse dimension remains; use"
                        + " sumToDense");
    }

    @Test
    void nothingIsMadeDenseOfATeraOfElements() {
        SparseTensor huge = tera();
        Tensor row = Tensors.ones(1_000_000); // 4 MB, and read at two places
        Tensor everywhere = Tensors.scalar(2.0).expand(1_000_000, 1_000_000);
        assertThat(Sparse.map(huge, LazyTensor::sqrt).nnz()).isEqualTo(2);
        assertThat(Sparse.mul(huge, row).values().toFloatArray()).containsExactly(5, 6);
        assertThat(Sparse.mul(huge, everywhere).values().toFloatArray()).containsExactly(10, 12);
        assertThat(Sparse.div(huge, everywhere).values().toFloatArray()).containsExactly(2.5f, 3);
        assertThat(Sparse.mul(huge, huge).values().toFloatArray()).containsExactly(25, 36);
        assertThat(Sparse.sub(huge, huge).coalesce().values().toFloatArray()).containsExactly(0, 0);
        assertThat(Sparse.sum(huge).item()).isEqualTo(11.0);
        assertThat(Sparse.sum(huge, 1).indices().toLongArray()).containsExactly(7, 999_999);
        assertThat(Sparse.mul(huge.t(), row.unsqueeze(1)).values().toFloatArray())
                .containsExactly(6, 5);
    }
}
