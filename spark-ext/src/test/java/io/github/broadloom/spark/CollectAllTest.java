package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several values of one pass: the same as each by itself. */
class CollectAllTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void valuesOfAnyDtypeAndShapeComeTogether(int chunks) throws Exception {
        Broadloom broadloom = LocalSpark.broadloom();
        DistributedTensor x =
                broadloom.tensor(Tensors.arange(-7, 53, 1, DType.FLOAT32).view(20, 3), chunks);
        DistributedTensor large = broadloom.tensor(Tensors.of(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE), chunks);
        List<DistributedTensor> all = new ArrayList<>(List.of(
                x.sum(0),
                x.amax(),
                x.to(DType.FLOAT16).mean(1),
                x.argmin(0),
                x.gt(0).any(0),
                x.mul(x).mean(0),
                large.mul(1)));
        for (DType dtype : DType.values()) {
            all.add(x.to(dtype).slice(0, Slice.of(18, 20)));
        }
        List<Tensor> together = broadloom.collectAll(all.toArray(DistributedTensor[]::new));
        for (int i = 0; i < all.size(); i++) {
            Bits.assertSame(together.get(i), all.get(i).collect());
        }
        try (Jobs jobs = Jobs.listen()) {
            broadloom.collectAll(x.sum(0), x.amax(0), x.mul(x).mean(0));
            assertThat(jobs.descriptions()).hasSize(1);
        }
    }
}
