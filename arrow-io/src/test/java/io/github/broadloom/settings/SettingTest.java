package io.github.broadloom.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingTest {
    private static <T> T read(SettingKind<T> kind, String text) {
        Setting<T> setting = Setting.ofSpark("broadloom.test", kind, "nothing", "here", "Tests.");
        return setting.inSpark(Map.of("spark.broadloom.test", text)::get).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "4096, 4096",
        "100b, 100",
        "1k, 1024",
        "512m, 536870912",
        "2G, 2147483648",
        "3 MiB, 3145728",
        "1tb, 1099511627776",
        "1p, 1125899906842624"
    })
    void sizesAreBytesOrHaveAUnit(String text, long bytes) {
        assertThat(read(SettingKind.bytes(), text)).isEqualTo(bytes);
    }

    @Test
    void moreThanALongHoldsIsAllThereIs() {
        assertThat(read(SettingKind.bytes(), "999999999999999t")).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void wordsAreReadInAnyCaseAndWithBlanksAroundThem() {
        assertThat(read(SettingKind.words("auto", "never"), " Never ")).isEqualTo("never");
        assertThat(read(SettingKind.flag(), "TRUE")).isTrue();
        assertThat(read(SettingKind.count(), " 7 ")).isEqualTo(7);
        assertThat(read(SettingKind.seconds(), "0")).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes | ''   | bytes, or a size such as 512m or 2g",
                "bytes | m    | bytes, or a size such as 512m or 2g",
                "bytes | -1   | bytes, or a size such as 512m or 2g",
                "bytes | 1.5g | bytes, or a size such as 512m or 2g",
                "bytes | 2 x  | bytes, or a size such as 512m or 2g",
                "some  | 0    | at least one byte, or a size such as 512m or 2g",
                "count | 0    | a whole number of at least 1",
                "count | many | a whole number of at least 1",
                "count | 9999999999 | a whole number of at least 1",
                "seconds | -1 | a whole number of seconds",
                "flag  | yes  | true or false",
                "words | c    | a, b or d"
            })
    void whatIsWrongIsRefusedByNameWithWhatIsAllowed(String kind, String text, String allowed) {
        Map<String, SettingKind<?>> kinds = Map.of(
                "bytes", SettingKind.bytes(),
                "some", SettingKind.positiveBytes(),
                "count", SettingKind.count(),
                "seconds", SettingKind.seconds(),
                "flag", SettingKind.flag(),
                "words", SettingKind.words("a", "b", "d"));
        assertThatThrownBy(() -> read(kinds.get(kind), text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot use spark.broadloom.test=" + text + ": give " + allowed);
    }

    @Test
    void aSystemPropertyIsReadUnderItsOwnName() {
        Setting<Integer> setting = Setting.ofBoth("broadloom.test.count", SettingKind.count(), "1", "here", "Tests.");
        assertThat(setting.inJvm()).isEmpty();
        assertThat(setting.inSpark(name -> null)).isEmpty();
        System.setProperty("broadloom.test.count", "3");
        try {
            assertThat(setting.inJvm()).hasValue(3);
            assertThat(setting.isInJvm()).isTrue();
        } finally {
            System.clearProperty("broadloom.test.count");
        }
    }
}
