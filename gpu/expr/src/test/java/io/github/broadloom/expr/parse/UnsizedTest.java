package io.github.broadloom.expr.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Unsized;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expressions over tensors of which no size is known: what they tell is what PyTorch's tensors of some sizes that fit have. */
class UnsizedTest {
    private static final Map<String, Expr> TENSORS = Map.of(
            "v", Unsized.of(DType.FLOAT32, 1),
            "m", Unsized.of(DType.INT32, 2),
            "c", Unsized.of(DType.BOOL, 3));

    private static Expr typed(String text) {
        return ExprParser.parse(text, TENSORS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v + m | float32 | 2",
                "m / 2 | float32 | 2",
                "v[6000] | float32 | 0",
                "m[-1, None, 5:7] | int32 | 2",
                "c[..., 40] | bool | 2",
                "v.reshape(3, 224, 224) | float32 | 3",
                "v.reshape(-1, 7, 0 + 5)[3, 6] | float32 | 1",
                "m.view(16, 16, -1).unflatten(0, (4, 4)) | int32 | 4",
                "m.select(1, 99).narrow(0, 10, 20) | int32 | 1",
                "m.narrow(0, -3, 2).flatten() | int32 | 1",
                "c.sum((0, 2)) | int64 | 1",
                "c.any(1, keepdim=True).T | bool | 3",
                "(m.reshape(5, 7) @ v.reshape(7).to(int32)).argmax() | int64 | 0",
                "einsum('ij,j->i', m.reshape(5, 7), v.to(int32)) | int32 | 1",
                "stack((v, v.reshape(9))) | float32 | 2",
                "cat((m, m.reshape(3, 4)), 1).cumsum(0) | int64 | 2",
                "v.quantile([0.25, 0.75]) | float32 | 1",
                "v.expand(4, -1).repeat(2, 1, 1) | float32 | 3",
                "where(m > v, v, 0).norm('nuc') | float32 | 0"
            })
    void dtypesAndRanksAreKnown(String text, String dtype, int rank) {
        Expr typed = typed(text);
        assertThat(typed.dtype().torchName()).isEqualTo(dtype);
        assertThat(typed.shape().rank()).isEqualTo(rank);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "m.squeeze(0) | Cannot tell how many dimensions squeeze leaves: that depends on sizes, which are not known yet",
                "v.sum(1) | Dimension out of range (expected to be in range of [-1, 0], but got 1)",
                "v[0][0][0] | invalid index of a 0-dim tensor",
                "m.reshape(-1, -1) | only one dimension can be inferred",
                "m @ v | must have the same dtype, but got Float, Int",
                "v.permute(1, 0) | permute",
            })
    void whatDoesNotDependOnSizesIsRefused(String text, String sentence) {
        assertThatThrownBy(() -> typed(text)).hasMessageContaining(sentence);
    }

    @Test
    void numbersStayNumbers() {
        assertThat(typed("(v * (2 + 3)).sum(0)").dtype()).isEqualTo(DType.FLOAT32);
        assertThat(typed("m + (2 ** 3)").dtype()).isEqualTo(DType.INT32);
    }
}
