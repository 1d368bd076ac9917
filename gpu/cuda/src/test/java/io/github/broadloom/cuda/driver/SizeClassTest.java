package io.github.broadloom.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeClassTest {
    @ParameterizedTest
    @CsvSource({
        "0, 512",
        "1, 512",
        "512, 512",
        "513, 1024",
        "5000, 5120",
        "1048576, 1048576",
        "1048577, 2097152",
        "2097153, 4194304",
        "1000000001, 1000341504",
    })
    void sizesAreRoundedUpToTheirClass(long bytes, long size) {
        assertThat(SizeClass.of(bytes)).isEqualTo(size);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 512, 700, 4096, 100_000, 1 << 20, (1 << 20) + 1, 123_456_789, 1L << 40})
    void aClassIsItsOwnAndHoldsWhatWasAsked(long bytes) {
        long size = SizeClass.of(bytes);
        assertThat(size).isGreaterThanOrEqualTo(bytes);
        assertThat(size % 512).isZero();
        assertThat(SizeClass.of(size)).isEqualTo(size);
        assertThat(SizeClass.fits(size, size)).isTrue();
        assertThat(SizeClass.fits(size, 2 * size)).isFalse();
    }
}
