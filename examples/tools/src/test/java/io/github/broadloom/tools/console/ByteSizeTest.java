package io.github.broadloom.tools.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {

    @ParameterizedTest
    @CsvSource({
        "65536, 65536",
        "1, 1",
        "100b, 100",
        "512k, 524288",
        "4m, 4194304",
        "16MiB, 16777216",
        "16 MB, 16777216",
        "2g, 2147483648",
        "1T, 1099511627776"
    })
    void readsBytesAsPeopleWriteThem(String text, long bytes) {
        assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "m", "-4m", "1.5g", "16 miles", "0", "9999999999999999999", "9000000000000t"})
    void refusesWhatIsNoNumberOfBytes(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Cannot ");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 bytes",
        "999, 999 bytes",
        "1000, 1.0 kB",
        "999949, 999.9 kB",
        "999950, 1.0 MB",
        "2200000000, 2.2 GB"
    })
    void saysBytesInWords(long bytes, String words) {
        assertThat(ByteSize.inWords(bytes)).isEqualTo(words);
    }
}
