package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.io.Npy;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ArraySocketTest {
    private final Tensor numbers = Tensors.arange(6).view(2, 3);

    /** A caller, who has said that. */
    private static Socket call(ArraySocket array, String secret) throws IOException {
        String[] address = array.address().split(" ");
        Socket caller = new Socket(address[0], Integer.parseInt(address[1]));
        caller.getOutputStream().write((secret.isEmpty() ? address[2] : secret).getBytes(StandardCharsets.US_ASCII));
        return caller;
    }

    @Test
    void whoKnowsTheSecretTakesTheArray() throws IOException {
        try (Socket caller = call(ArraySocket.of(numbers), "")) {
            assertThat(Npy.read(caller.getInputStream(), "array")).hasToString(numbers.toString());
        }
    }

    @Test
    void whoKnowsTheSecretBringsAnArray() throws IOException {
        ArraySocket array = ArraySocket.receiving();
        try (Socket caller = call(array, "")) {
            Npy.write(numbers, caller.getOutputStream());
        }
        assertThat(array.passed()).hasToString(numbers.toString());
    }

    @Test
    void whoDoesNotKnowItGetsNothing() throws IOException {
        ArraySocket array = ArraySocket.of(numbers);
        try (Socket caller = call(array, "0".repeat(64))) {
            assertThat(caller.getInputStream().read()).isEqualTo(-1);
        }
        assertThatThrownBy(array::passed)
                .isInstanceOf(IOException.class)
                .hasMessage("Cannot pass array: a caller did not know the secret");
    }

    @Test
    void anArrayThatEndsTooEarlyIsRefused() throws IOException {
        ArraySocket array = ArraySocket.receiving();
        call(array, "").close();
        assertThatThrownBy(array::passed).isInstanceOf(IOException.class).hasMessageStartingWith("Cannot read array");
    }
}
