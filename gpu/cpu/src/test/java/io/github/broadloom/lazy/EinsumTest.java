package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Einsum;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Einstein's sums; values by hand, texts PyTorch 2.13's. */
class EinsumTest {
    private static LazyTensor range(long... sizes) {
        return LazyTensor.of(Tensors.arange(Shape.of(sizes).numel()).view(sizes));
    }

    private static LazyTensor range(String sizes) {
        return range(Arrays.stream(sizes.trim().split(" "))
                .filter(size -> !size.isEmpty())
                .mapToLong(Long::parseLong)
                .toArray());
    }

    @Test
    void aMatrixProductIsOneContraction() {
        LazyTensor product = range(2, 3).einsum("ij,jk->ik", range(3, 2));
        assertThat(product.expr()).isInstanceOf(Contraction.class);
        assertThat(product.compute().values()).containsExactly(10L, 13L, 28L, 40L);
        assertThat(range(2, 3).einsum("ij,jk", range(3, 2)).compute().values()).containsExactly(10L, 13L, 28L, 40L);
        assertThat(range(2, 3).einsum("ij , jk -> ki", range(3, 2)).compute().values())
                .containsExactly(10L, 28L, 13L, 40L);
        assertThat(range(2, 3).einsum("Ba,aC", range(3, 2)).compute().values()).containsExactly(10L, 13L, 28L, 40L);
    }

    @Test
    void oneOperandIsPermutedSummedOrCutAlongItsDiagonal() {
        assertThat(range(2, 3).einsum("ij->ji").compute().values()).containsExactly(0L, 3L, 1L, 4L, 2L, 5L);
        assertThat(range(2, 3).einsum("ba").compute().values()).containsExactly(0L, 3L, 1L, 4L, 2L, 5L);
        assertThat(range(2, 3).einsum("ij->j").compute().values()).containsExactly(3L, 5L, 7L);
        assertThat(range(2, 3).einsum("ij->").compute().item()).isEqualTo(15L);
        assertThat(range(3, 3).einsum("ii->i").compute().values()).containsExactly(0L, 4L, 8L);
        assertThat(range(3, 3).einsum("ii").compute().item()).isEqualTo(12L);
        assertThat(range(2, 3, 2).einsum("iji->ij").compute().values()).containsExactly(0L, 2L, 4L, 7L, 9L, 11L);
        LazyTensor same = range(2, 2);
        assertThat(same.einsum("ij->ij").expr()).isSameAs(same.expr());
    }

    @Test
    void whatIsNotSummedIsAProductThatPromotes() {
        LazyTensor truths = LazyTensor.of(Tensors.of(true, false));
        LazyTensor outer = truths.einsum("i,j->ij", range(3));
        assertThat(outer.dtype()).isEqualTo(DType.INT64);
        assertThat(outer.compute().values()).containsExactly(0L, 1L, 2L, 0L, 0L, 0L);
        assertThat(range(2, 3).einsum("ij,ij->ij", range(2, 3)).compute().values())
                .containsExactly(0L, 1L, 4L, 9L, 16L, 25L);
    }

    @Test
    void batchesAndSumsOfOneOperandGoTogether() {
        assertThat(range(2, 3).einsum("bi,bi->b", range(2, 3)).compute().values())
                .containsExactly(5L, 50L);
        assertThat(range(2, 3).einsum("ij,kl->ik", range(2, 2)).compute().values())
                .containsExactly(3L, 15L, 12L, 60L);
        LazyTensor weighted = range(2).einsum("i,ij,j->", range(2, 3), range(3));
        assertThat(weighted.compute().item()).isEqualTo(4L + 2 * 5);
    }

    @Test
    void ellipsesBroadcast() {
        LazyTensor batches = range(2, 1, 2, 3).einsum("...ij,...jk->...ik", range(4, 3, 2));
        assertThat(batches.shape()).isEqualTo(Shape.of(2, 4, 2, 2));
        assertThat(batches.compute().values())
                .isEqualTo(range(2, 1, 2, 3).matmul(range(4, 3, 2)).compute().values());
        assertThat(range(2, 3).einsum("...j->...").compute().values()).containsExactly(3L, 12L);
        assertThat(range(4, 2, 3).einsum("...ij,jk->i...k", range(3, 5)).shape())
                .isEqualTo(Shape.of(2, 4, 5));
        assertThat(range(4, 2, 3).einsum("...ij,jk->ik", range(3, 5)).shape()).isEqualTo(Shape.of(2, 5));
    }

    @Test
    void sizeOneGoesWithAnySize() {
        LazyTensor column = range(2, 1).add(1);
        assertThat(column.einsum("ij,jk->ik", range(3, 2)).compute().values()).containsExactly(6L, 9L, 12L, 18L);
        assertThat(range(1, 2, 3).einsum("bij,bjk->bik", range(5, 3, 4)).shape())
                .isEqualTo(Shape.of(5, 2, 4));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ij,jk->ikik|2 3|3 4|einsum(): output subscript i appears more than once in the output",
                "ij,jk->iz|2 3|3 4|einsum(): output subscript z does not appear in the equation for any input operand",
                "ij,j1->i|2 3|3 4|einsum(): invalid subscript given at index 4 in the equation string, subscripts must"
                        + " be in [a-zA-Z]",
                "ij,jk->i1|2 3|3 4|einsum(): invalid subscript given at index 8 in the equation string, subscripts"
                        + " must be in [a-zA-Z]",
                "ij,jk-ik|2 3|3 4|einsum(): invalid subscript given at index 5 in the equation string, subscripts must"
                        + " be in [a-zA-Z]",
                "ij..,jk|2 3|3 4|einsum(): found '.' for operand 0 that is not part of any ellipsis",
                "...ij...,jk|2 3|3 4|einsum(): found '.' for operand 0 for which an ellipsis was already found",
                "ij,jk->i.k|2 3|3 4|einsum(): found '.' for output that is not part of any ellipsis (...)",
                "ij,jk->...ik...|2 3|3 4|einsum(): found '.' for output but an ellipsis (...) was already found",
                "ij,jk,kl->il|2 3|3 4|einsum(): fewer operands were provided than specified in the equation",
                "ij->i|2 3|3 4|einsum(): more operands were provided than specified in the equation",
                "ijk,jk->i|2 3|3 4|einsum(): the number of subscripts in the equation (3) does not match the number of"
                        + " dimensions (2) for operand 0 and no ellipsis was given",
                "ij,jkl...|2 3|3 4|einsum(): the number of subscripts in the equation (3) is more than the number of"
                        + " dimensions (2) for operand 1",
                "ij,ij->ij|2 3|3 4|einsum(): subscript i has size 3 for operand 1 which does not broadcast with"
                        + " previously seen size 2",
                "...i,...i|4 3|5 3|einsum(): dimension 0 covered by ellipsis in operand 1has size 5 which does not"
                        + " broadcast with previously seen ellipsis with size 4 for the respective dimension",
                "ii,jk->k|2 3|3 4|einsum(): subscript i is repeated for operand 0 but the sizes don't match, 3 != 2"
            })
    void whatIsNoEquationIsRefusedInPyTorchsWords(String equation, String left, String right, String message) {
        assertThatThrownBy(() -> range(left).einsum(equation, range(right)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void dtypesAreRefusedWhereSomethingIsSummed() {
        LazyTensor ints = range(2, 3).to(DType.INT32);
        assertThatThrownBy(() -> ints.einsum("ij,jk->ik", range(3, 4)))
                .hasMessage("expected scalar type Int but found Long");
        LazyTensor truths = range(2, 3).to(DType.BOOL);
        assertThatThrownBy(() -> truths.einsum("ij,kj->ik", truths)).hasMessage("\"bmm\" not implemented for 'Bool'");
        assertThatThrownBy(() -> Einsum.of("i", List.of()))
                .hasMessage("einsum(): must specify the equation string and at least one operand, or at least one"
                        + " operand and its subscripts list");
    }

    @Test
    void textHasTheFunctionToo() {
        Map<String, Tensor> names =
                Map.of("a", range(2, 3).compute(), "b", range(3, 2).compute());
        assertThat(LazyTensor.eval("einsum('ij,jk->ik', a, b) + 1", names)
                        .compute()
                        .values())
                .containsExactly(11L, 14L, 29L, 41L);
        assertThat(LazyTensor.eval("a.einsum(\"ij->ji\")", names).compute().values())
                .containsExactly(0L, 3L, 1L, 4L, 2L, 5L);
        assertThatThrownBy(() -> LazyTensor.eval("einsum(a, b)", names))
                .hasMessageStartingWith("Cannot call einsum: the equation is no text; write it in quotes");
        assertThatThrownBy(() -> LazyTensor.eval("einsum('ij,jk->iz', a, b)", names))
                .hasMessageStartingWith("einsum(): output subscript z does not appear in the equation");
    }
}
