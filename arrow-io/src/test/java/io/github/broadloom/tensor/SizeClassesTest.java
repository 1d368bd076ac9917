package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeClassesTest {
    private static final long MEBIBYTE = 1 << 20;

    @ParameterizedTest
    @CsvSource({
        "100, 128", // small ones are whole cache lines
        "129, 192",
        "1048575, 1048576",
        "1048576, 1048576",
        "1048577, 1179648", // 1 MiB and an eighth
        "16777216, 16777216",
        "308281344, 335544320", // 294 MiB: classes of 32 MiB between 256 and 512
        "805306368, 805306368"
    })
    void sizesAreRoundedUpToTheirClass(long bytes, long rounded) {
        assertThat(SizeClasses.rounded(bytes)).isEqualTo(rounded);
    }

    @Test
    void aLargeClassHoldsWhatIsAskedForAndWastesAnEighthAtMost() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            long bytes = random.nextLong(MEBIBYTE, 1L << 42);
            long rounded = SizeClasses.rounded(bytes);
            assertThat(rounded).isBetween(bytes, bytes + bytes / 8);
            assertThat(SizeClasses.rounded(rounded)).isEqualTo(rounded);
        }
    }

    @Test
    void noSizeOverflows() {
        assertThat(SizeClasses.rounded(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }
}
