package io.github.broadloom.expr.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class ExprNamesTest {
    @Test
    void tensorsInTheOrderInWhichTheyFirstAppear() {
        assertThat(ExprNames.of("(x - m) / s + x")).containsExactly("x", "m", "s");
        assertThat(ExprNames.of("where(b > a, a, b)")).containsExactly("b", "a");
    }

    @Test
    void noFunctionsMethodsKeywordsDtypesOrConstants() {
        assertThat(ExprNames.of("sum(x, dim=(0, 1), keepdim=True).T * pi + y.to(float64)[None, 1:]"))
                .containsExactly("x", "y");
        assertThat(ExprNames.of("div(a, max, rounding_mode='floor')")).containsExactly("a", "max");
        assertThat(ExprNames.of("1 + 2")).isEmpty();
    }

    @Test
    void whatIsNoTextIsRefused() {
        assertThatExceptionOfType(ExprSyntaxException.class)
                .isThrownBy(() -> ExprNames.of("x ? y"))
                .withMessageContaining("Cannot read the character '?'");
    }
}
