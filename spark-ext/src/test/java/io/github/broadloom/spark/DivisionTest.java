package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DivisionTest {
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

    /**
     * PyTorch rounds every step of float16 where the divisor has several elements, and a chunk of one row does not
     * change that.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void float16IsFloorDividedAlikeInEveryChunk(int chunks) {
        Tensor numerators = Tensors.of(12536.0, -4700.0, -3672.0).to(DType.FLOAT16);
        Tensor divisors = Tensors.of(1.6953125, -1.529296875, 0.525390625).to(DType.FLOAT16);
        DistributedTensor a = LocalSpark.broadloom().tensor(numerators, chunks);
        DistributedTensor b = LocalSpark.broadloom().tensor(divisors, chunks);
        assertThat(a.floorDivide(b).collect().values()).isEqualTo(List.of(7396.0, 3074.0, -6988.0));
        DistributedTensor single = LocalSpark.broadloom().tensor(divisors.narrow(0, 0, 1), 1);
        assertThat(a.floorDivide(single).collect().get(0)).isEqualTo(7392.0);
    }
}
