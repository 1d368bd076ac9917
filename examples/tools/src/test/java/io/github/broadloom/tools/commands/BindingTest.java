package io.github.broadloom.tools.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tools.console.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BindingTest {

    @Test
    void splitsAtTheFirstEquals() {
        assertThat(Binding.parse("x=dir/a=b.npz:key")).isEqualTo(new Binding("x", "dir/a=b.npz:key"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "=a.npy", "x=", "3x=a.npy", "a b=c.npy"})
    void refusesWhatIsNoBinding(String text) {
        assertThatThrownBy(() -> Binding.parse(text)).hasMessageStartingWith("Cannot ");
    }

    @Test
    void readsNumbersAsPythonDoes() {
        assertThat(new Binding("m", "3").number()).contains(3L);
        assertThat(new Binding("m", "-0.5").number()).contains(-0.5);
        assertThat(new Binding("m", "1e3").number()).contains(1000.0);
        assertThat(new Binding("m", "True").number()).contains(true);
        assertThat(new Binding("m", "3.npy").number()).isEmpty();
        assertThat(new Binding("m", "NaN").number()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1,2,3] | INT64 | [3]",
                "[0.5,2] | FLOAT32 | [2]",
                "[[1,2],[3,4.5]] | FLOAT32 | [2, 2]",
                "[true,false] | BOOL | [2]",
                "[] | FLOAT32 | [0]",
                "[[],[]] | FLOAT32 | [2, 0]"
            })
    void readsListsAsTorchTensorDoes(String text, DType dtype, String shape) {
        Tensor tensor = new Binding("m", text).list().orElseThrow();
        assertThat(tensor.dtype()).isEqualTo(dtype);
        assertThat(tensor.shape()).hasToString(shape);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1,2", "[[1,2],[3]]", "[1,[2]]", "[[1],2]", "[\"a\"]", "[null]"})
    void refusesRaggedAndBrokenLists(String text) {
        assertThatThrownBy(() -> new Binding("m", text).list())
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("Cannot read the input m: " + text);
    }
}
