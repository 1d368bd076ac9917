package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Matrix products of operands that are cut along the contracted dimension: each chunk sums its own products, and nothing is shuffled. */
class ProductSumsTest {
    private static final int ROWS = 1500; // five panels and most of a sixth

    /** Of no number that float32 has exactly, so that every order of summing shows. */
    private static Tensor numbers(DType dtype, long... sizes) {
        long count = 1;
        for (long size : sizes) {
            count *= size;
        }
        LazyTensor numbers =
                LazyTensor.of(Tensors.arange(count).to(DType.FLOAT64)).mul(0.7).sin();
        return (dtype.isFloatingPoint() ? numbers : numbers.mul(100))
                .compute()
                .to(dtype)
                .view(sizes);
    }

    private static void assertSums(String expression, Map<String, Tensor> tensors, int chunks) {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(2048);
        Map<String, DistributedTensor> distributed = new HashMap<>();
        int more = 0;
        for (Map.Entry<String, Tensor> entry : tensors.entrySet()) { // no two of them are cut alike
            distributed.put(
                    entry.getKey(),
                    broadloom.tensor(entry.getValue(), chunks + more).materialize());
            more += chunks == 1 ? 0 : 2;
        }
        try {
            DistributedTensor product = broadloom.eval(expression, distributed);
            Tensor expected = LazyTensor.eval(expression, tensors).compute();
            Tensor got = product.collect();
            assertThat(got.dtype()).isEqualTo(expected.dtype());
            assertThat(got.shape()).isEqualTo(expected.shape());
            assertThat(got.values())
                    .as(expression + " of " + chunks + " chunks")
                    .isEqualTo(expected.values());
            assertThat(product.explain()).contains("folded on the driver").doesNotContain("shuffle:");
        } finally {
            distributed.values().forEach(DistributedTensor::unpersist);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "x.t() @ x; 1",
                "x.t() @ x; 2",
                "x.t() @ x; 7",
                "x.t() @ y; 7",
                "x.t() @ y[:, 0]; 3",
                "(x - x.mean(0)).t() @ (x - x.mean(0)) / 1499; 4",
                "sum(x.t() @ (y * 2 + 1), 1); 5",
                "einsum('nij,nik->jk', b, b); 7",
                "einsum('nij,nij->', b, b); 2",
                "einsum('ni,nj,->ij', x, y, mean(x)); 3"
            })
    void theChunksDoNotMatter(String expression, int chunks) {
        assertSums(
                expression,
                Map.of(
                        "x", numbers(DType.FLOAT32, ROWS, 12),
                        "y", numbers(DType.FLOAT32, ROWS, 9),
                        "b", numbers(DType.FLOAT32, ROWS, 5, 3)),
                chunks);
    }

    @ParameterizedTest
    @EnumSource(value = DType.class, mode = EnumSource.Mode.EXCLUDE, names = "BOOL")
    void everyDtypeIsSummedAsInOnePiece(DType dtype) {
        assertSums("x.t() @ x", Map.of("x", numbers(dtype, ROWS, 12)), 5);
    }

    @Test
    void infinitiesAndNaNsMeetAsInOnePiece() {
        Tensor x = numbers(DType.FLOAT32, ROWS, 3);
        x.set(Double.POSITIVE_INFINITY, 10, 0);
        x.set(Double.NEGATIVE_INFINITY, 1400, 0);
        x.set(Double.NaN, 700, 1);
        assertSums("x.t() @ x.abs()", Map.of("x", x), 3);
    }

    /** One row more than what a panel holds, and fewer rows than that. */
    @ParameterizedTest
    @CsvSource({"257, 2", "100, 3", "512, 4"})
    void theLastPanelMayBeShort(int rows, int chunks) {
        assertSums("x.t() @ x", Map.of("x", numbers(DType.FLOAT32, rows, 32)), chunks);
    }
}
