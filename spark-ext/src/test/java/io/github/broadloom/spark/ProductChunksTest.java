package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Products of distributed matrices, cut in every way, have the bits of the local ones. */
class ProductChunksTest {
    /** Of no number that float32 has exactly, so that every order of summing shows. */
    private static Tensor numbers(long... sizes) {
        long count = 1;
        for (long size : sizes) {
            count *= size;
        }
        return LazyTensor.of(Tensors.arange(count).to(DType.FLOAT32))
                .mul(0.7)
                .sin()
                .compute()
                .view(sizes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x @ y",
                "x @ v",
                "v @ y",
                "v @ v",
                "x.t() @ x",
                "x @ x.t() + 1",
                "(x * 2 + 1) @ (y - 0.5)",
                "sum(x @ y, 0)",
                "sum(x @ y, 1) - mean(x)",
                "b @ b.transpose(1, 2)",
                "b.transpose(0, 1) @ b.permute(1, 2, 0)",
                "einsum('bij,bkj->bik', b, b)",
                "einsum('bij,bkj->ik', b, b)",
                "einsum('bij->jb', b)",
                "einsum('bi,bi->b', x, x)",
                "einsum('ij,jk,k->i', x, y, y[0])",
                "flip(x, 0) @ y",
                "cat((x, x), 0) @ y",
                "bmm(b, b.transpose(1, 2))"
            })
    void theChunksDoNotMatter(String expression) {
        Map<String, Tensor> tensors =
                Map.of("x", numbers(13, 300), "y", numbers(300, 21), "b", numbers(13, 5, 7), "v", numbers(300));
        Tensor expected = LazyTensor.eval(expression, tensors).compute();
        Broadloom broadloom = LocalSpark.broadloom();
        for (int chunks : new int[] {1, 2, 7, 13}) {
            Tensor got = broadloom
                    .eval(
                            expression,
                            Map.of(
                                    "x", broadloom.tensor(tensors.get("x"), chunks),
                                    "y", broadloom.tensor(tensors.get("y"), chunks),
                                    "b", broadloom.tensor(tensors.get("b"), chunks),
                                    "v", broadloom.tensor(tensors.get("v"), chunks)))
                    .collect();
            assertThat(got.shape()).as(chunks + " chunks").isEqualTo(expected.shape());
            assertThat(got.values()).as(chunks + " chunks").isEqualTo(expected.values());
        }
    }
}
