package io.github.broadloom.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.broadloom.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark's own programs with our jar, on the distributions that {@code -Dbroadloom.spark.homes=FOLDER:FOLDER} names; a folder of Spark's sources (its {@code bin}, {@code sbin} and
 * {@code python}) is made into one first, of Maven's jars.
 */
@Tag("submit-jar")
@Tag("full") // five minutes for each
class DistributionsTest {
    private static final Path SPARKS = Path.of("../sparks").toAbsolutePath().normalize();

    @TempDir
    private static Path folder;

    @TestFactory
    Stream<DynamicContainer> everyProgramGivesItsAnswers() throws Exception {
        String homes = System.getProperty("broadloom.spark.homes", "");
        assumeTrue(
                !homes.isBlank(),
                "no distribution is named: -Dbroadloom.spark.homes=FOLDER:FOLDER, of distributions or of Spark's sources");
        assertThat(Path.of(System.getProperty("broadloom.test.jar", ""))).isRegularFile();
        List<String> programs = said("programs", "--list").lines().toList();
        List<DynamicContainer> distributions = new ArrayList<>();
        for (String named : homes.split(":")) {
            Path home = home(Path.of(named).toAbsolutePath());
            distributions.add(dynamicContainer(
                    named, programs.stream().map(name -> dynamicTest(name, () -> answers(name, home)))));
        }
        return distributions.stream();
    }

    private static Path home(Path named) throws IOException, InterruptedException {
        if (Files.exists(named.resolve("jars"))) {
            return named;
        }
        Path home = folder.resolve("homes").resolve(named.toString().substring(1));
        said("assemble", named.toString(), home.toString());
        return home;
    }

    private static void answers(String program, Path home) throws IOException, InterruptedException {
        String line = said(
                "programs",
                "--only",
                program,
                "--python",
                Python.INTERPRETER,
                "--jar",
                System.getProperty("broadloom.test.jar"),
                home.toString());
        if (line.contains(": skipped, ")) {
            abort(line.strip());
        }
        assertThat(line).contains(": ok, ");
    }

    /** What a script of {@code examples/sparks} says. */
    private static String said(String script, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(SPARKS.resolve(script).toString()));
        command.addAll(List.of(arguments));
        Path input = Files.createTempFile(folder, "input", "");
        Cli run = ChildJvm.run(new ProcessBuilder(command), folder, input);
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        return run.out();
    }
}
