package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import org.junit.jupiter.api.Test;

/** The texts are those of PyTorch 2.13, less {@code torch.}. */
class SparsePrinterTest {

    private static Tensor zeros(DType dtype, long... sizes) {
        return Tensors.zeros(Shape.of(sizes), dtype);
    }

    @Test
    void indicesAndValuesStandInLinesOfTheirOwn() {
        Tensor indices = Tensors.copyOf(new long[] {0, 1, 1, 2}, 2, 2);
        assertThat(SparseTensor.of(indices, Tensors.of(3.0, 4.0), Shape.of(2, 3)))
                .hasToString("""
                        tensor(indices=tensor([[0, 1],
                                               [1, 2]]),
                               values=tensor([3., 4.]),
                               size=(2, 3), nnz=2, layout=sparse_coo)""");
    }

    @Test
    void aDTypeIsNamedOnce() {
        Tensor indices = Tensors.copyOf(new long[] {0, 1}, 1, 2);
        assertThat(SparseTensor.of(indices, Tensors.of(1, 2).to(DType.FLOAT16), Shape.of(3)))
                .hasToString("""
                        tensor(indices=tensor([[0, 1]]),
                               values=tensor([1., 2.]),
                               size=(3,), nnz=2, dtype=float16, layout=sparse_coo)""");
    }

    @Test
    void emptyPartsTellTheirSizesAndTheLineBreaksAsIfTorchStoodThere() {
        assertThat(SparseTensor.of(zeros(DType.INT64, 2, 0), zeros(DType.INT32, 0), Shape.of(2147483648L, 1000000000)))
                .hasToString("""
                        tensor(indices=tensor([], size=(2, 0)),
                               values=tensor([], size=(0,)),
                               size=(2147483648, 1000000000), nnz=0, dtype=int32,
                               layout=sparse_coo)""");
        assertThat(SparseTensor.of(Tensors.copyOf(new long[] {0, 1}, 1, 2), zeros(DType.FLOAT32, 2, 0), Shape.of(3, 0)))
                .hasToString("""
                        tensor(indices=tensor([[0, 1]]),
                               values=tensor([], size=(2, 0)),
                               size=(3, 0), nnz=2, layout=sparse_coo)""");
    }

    @Test
    void blocksAreIndentedUnderTheirPrefix() {
        assertThat(SparseTensor.of(zeros(DType.INT64, 3, 2), zeros(DType.FLOAT64, 2, 3, 4), Shape.of(3, 1, 2, 3, 4)))
                .hasToString("""
                        tensor(indices=tensor([[0, 0],
                                               [0, 0],
                                               [0, 0]]),
                               values=tensor([[[0., 0., 0., 0.],
                                               [0., 0., 0., 0.],
                                               [0., 0., 0., 0.]],

                                              [[0., 0., 0., 0.],
                                               [0., 0., 0., 0.],
                                               [0., 0., 0., 0.]]]),
                               size=(3, 1, 2, 3, 4), nnz=2, dtype=float64, layout=sparse_coo)""");
    }

    @Test
    void manyEntriesAreSummarised() {
        assertThat(SparseTensor.of(zeros(DType.INT64, 1, 1200), zeros(DType.FLOAT32, 1200), Shape.of(3)))
                .hasToString("""
                        tensor(indices=tensor([[0, 0, 0,  ..., 0, 0, 0]]),
                               values=tensor([0., 0., 0.,  ..., 0., 0., 0.]),
                               size=(3,), nnz=1200, layout=sparse_coo)""");
    }
}
