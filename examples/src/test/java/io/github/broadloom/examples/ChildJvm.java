package io.github.broadloom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the command line in a JVM of its own, with little memory. */
final class ChildJvm {
    private ChildJvm() {}

    /**
     * Runs it and asserts that all went well.
     *
     * @param memory the options of the JVM
     * @param folder for what it says
     * @return what it said
     */
    static String run(List<String> memory, Path folder, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(memory);
        command.addAll(List.of(
                "@jvm-flags.txt",
                "-Dlog4j2.configurationFile=log4j2.properties",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("said.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(5, TimeUnit.MINUTES);
        process.destroyForcibly();
        String said = Files.readString(output);
        assertThat(ended).as(said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
