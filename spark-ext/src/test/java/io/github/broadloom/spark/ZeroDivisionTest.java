package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZeroDivisionTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void anActionThatMeetsAZeroFailsWithPyTorchsSentenceAlone(int chunks) {
        DistributedTensor a = LocalSpark.broadloom().tensor(Tensors.of(9, 8, 7, 6, 5, 4, 3), chunks);
        DistributedTensor b = LocalSpark.broadloom().tensor(Tensors.of(1, 2, 3, 4, 0, 6, 7), chunks);
        for (DistributedTensor quotient : new DistributedTensor[] {a.floorDivide(b), a.remainder(b), a.fmod(b)}) {
            assertThatThrownBy(quotient::collect)
                    .isInstanceOf(ArithmeticException.class)
                    .hasMessage("ZeroDivisionError");
            assertThatThrownBy(quotient.sum()::collect).hasMessage("ZeroDivisionError");
        }
    }

    /** Whatever stands in a tile behind its last element is never divided. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void divisorsWithoutZeroNeverFail(int chunks) {
        DistributedTensor a = LocalSpark.broadloom().tensor(Tensors.of(9, 8, 7, 6, 5, 4, 3), chunks);
        DistributedTensor b = LocalSpark.broadloom().tensor(Tensors.of(1, 2, 3, 4, 5, 6, 7), chunks);
        assertThat(a.floorDivide(b).collect().values()).isEqualTo(List.of(9L, 4L, 2L, 1L, 1L, 0L, 0L));
        assertThat(a.remainder(b).sum().collect().item()).isEqualTo(0L + 0 + 1 + 2 + 0 + 4 + 3);
    }
}
