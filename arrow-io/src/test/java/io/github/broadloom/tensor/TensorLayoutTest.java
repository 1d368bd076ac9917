package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TensorLayoutTest {
    @ParameterizedTest
    @CsvSource({"STRIDED, strided", "SPARSE_COO, sparse_coo"})
    void theStringFormIsPyTorchsAndIsReadBack(TensorLayout layout, String text) {
        assertThat(layout).hasToString(text);
        assertThat(TensorLayout.of(text)).isEqualTo(layout);
        assertThat(TensorLayout.of("torch." + text)).isEqualTo(layout);
    }

    @Test
    void anUnknownNameIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> TensorLayout.of("sparse_csr"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot find layout: 'sparse_csr'; the layouts here are strided and sparse_coo");
    }
}
