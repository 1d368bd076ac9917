package io.github.broadloom.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpyRefusalTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            pickled.npy          | it holds pickled Python objects (dtype '|O'), which are refused
            structured.npy       | its dtype is a structured one
            complex64.npy        | its dtype '<c8' (complex numbers) is not supported; float32
            uint16.npy           | its dtype '<u2' (unsigned integers) is not supported; float32
            longdouble.npy       | its dtype '<f16' (extended floating point) is not supported
            text.npy             | its dtype '<U2' (text) is not supported
            datetime.npy         | its dtype '<M8[D]' (datetime64) is not supported
            truncated.npy        | its header claims 48 bytes of float64 [2, 3], but only 47 follow
            truncated-header.npy | it ends inside its npy header; the file is truncated
            trailing.npy         | 1 bytes follow the 48 bytes of float64 [2, 3] that its header claims
            claims-more.npy      | its header claims 8000000000 bytes of float64 [1000000000], but only 24 follow
            overflow.npy         | the product of its shape [4294967296, 4294967296] exceeds 64 bits
            negative.npy         | the 'shape' of its npy header is not a tuple of sizes
            version9.npy         | its npy format version is 9.0; 1.0, 2.0 and 3.0 are known
            garbage.npy          | it does not begin as a npy file does
            long-header.npy      | its npy header claims to be 4294967295 bytes long
            stored.npz           | it is a zip archive, as a npz file is
            """)
    void saysWhatIsWrongInOneSentence(String fileName, String problem) {
        Path file = NumPyFiles.file(fileName);

        assertThatThrownBy(() -> Npy.read(file))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read " + file + ": " + problem)
                .extracting(Throwable::getMessage)
                .satisfies(message -> assertThat(message.lines()).hasSize(1));
        assertThatThrownBy(() -> Npy.map(file))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pickled", "truncated", "claims-more", "overflow", "garbage", "truncated-header"})
    void aStreamIsRefusedAsAFileIs(String name) throws IOException {
        byte[] bytes = Files.readAllBytes(NumPyFiles.file(name + ".npy"));

        assertThatThrownBy(() -> Npy.read(new ByteArrayInputStream(bytes), "upload"))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read upload: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}",
                "{'descr'",
                "{'descr': '<f8', 'fortran_order': False}",
                "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'more': 1}",
                "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
                "{'descr': '<f8', 'fortran_order': 0, 'shape': (2,)}",
                "{'descr': '<f8', 'fortran_order': False, 'shape': (2)}",
                "{'descr': '<f8', 'fortran_order': False, 'shape': [2]}",
                "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 'x')}",
                "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), } x",
                "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
                "{'descr': '<f8', 'fortran_order': __import__('os'), 'shape': (2,)}",
                "{'descr': None, 'fortran_order': False, 'shape': (2,)}",
                "{'descr': '', 'fortran_order': False, 'shape': (2,)}",
                "{'descr': '<', 'fortran_order': False, 'shape': (2,)}",
                "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)",
                "{'descr': '<f8', 'fortran_order': False, 'shape': (((((((((((((((((((((((((((((((((((",
                "{1: '<f8', 'fortran_order': False, 'shape': (2,)}",
                "{'descr': '<f8\\",
            })
    void aMalformedHeaderIsRefused(String header) {
        byte[] bytes = new byte[10 + header.length() + 16];
        byte[] start = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) header.length(), 0};
        System.arraycopy(start, 0, bytes, 0, start.length);
        System.arraycopy(header.getBytes(StandardCharsets.US_ASCII), 0, bytes, 10, header.length());

        assertThatThrownBy(() -> Npy.read(new ByteArrayInputStream(bytes), "x.npy"))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read x.npy: ");
    }
}
