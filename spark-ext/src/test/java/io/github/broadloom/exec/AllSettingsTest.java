package io.github.broadloom.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AllSettingsTest {
    private static List<Setting<?>> all() {
        return AllSettings.byTopic().values().stream().flatMap(List::stream).toList();
    }

    @Test
    void theCommittedPageIsTheOneThatTheSettingsMake() throws IOException {
        assertThat(Files.readString(Path.of("../docs/configuration.md")))
                .as("run: examples/run settings > docs/configuration.md")
                .isEqualTo(SettingsPage.markdown());
    }

    @Test
    void namesAreGivenOnce() {
        assertThat(all()).extracting(Setting::name).doesNotHaveDuplicates();
    }

    /** Of a setting that is read past the registry, the page would not tell. */
    @Test
    void sourcesNameNoSettingThatIsNotOnThePage() throws IOException {
        Pattern name = Pattern.compile("\"spark\\.(broadloom\\.[A-Za-z.]+)\"");
        for (String module : List.of("arrow-io", "gpu", "spark-ext", "examples")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module))) {
                for (Path file : files.filter(file -> file.toString().contains("/src/main/java/"))
                        .filter(Files::isRegularFile)
                        .toList()) {
                    for (Matcher found = name.matcher(Files.readString(file)); found.find(); ) {
                        assertThat(all())
                                .as("%s", file)
                                .extracting(Setting::name)
                                .anyMatch(known -> known.startsWith(found.group(1)));
                    }
                }
            }
        }
    }

    @Test
    void aMistypedNameIsToldOnceWithTheNearestOne() {
        List<String> names = List.of("spark.broadloom.devise", "spark.broadloom.device", "spark.app.name");
        assertThat(AllSettings.tellUnknown(names))
                .containsExactly("The setting spark.broadloom.devise is not read: there is none of that name;"
                        + " did you mean 'spark.broadloom.device'?");
        assertThat(AllSettings.tellUnknown(names)).isEmpty();
    }

    @Test
    void aNameThatIsNearToNothingIsToldWithThePage() {
        assertThat(AllSettings.tellUnknown(List.of("spark.broadloom.x")))
                .containsExactly("The setting spark.broadloom.x is not read: there is none of that name;"
                        + " docs/configuration.md lists all of them");
    }

    @Test
    void aSettingOfTheJvmIsToldWithItsProperty() {
        assertThat(AllSettings.tellUnknown(List.of("spark.broadloom.memory.limit")))
                .containsExactly("The setting spark.broadloom.memory.limit is not read: it is a system property of each"
                        + " JVM, -Dbroadloom.memory.limit, as in spark.executor.extraJavaOptions");
    }
}
