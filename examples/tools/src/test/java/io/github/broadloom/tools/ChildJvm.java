package io.github.broadloom.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the command line in a JVM of its own, with little memory. */
public final class ChildJvm {
    /** The options of a JVM that computes little beside its start. */
    public static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    /** Of the flags that a driver of Spark needs. */
    static final Path JVM_FLAGS =
            Path.of(System.getProperty("log4j2.configurationFile", "")).resolveSibling("jvm-flags.txt");

    private ChildJvm() {}

    /**
     * Runs it and asserts that all went well.
     *
     * @param memory the options of the JVM
     * @param folder for what it says
     * @return what it said
     */
    public static String run(List<String> memory, Path folder, String... arguments)
            throws IOException, InterruptedException {
        Path output = folder.resolve("said.txt");
        Process process = main(memory, arguments)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exitCode = end(process, output);
        String said = Files.readString(output);
        assertThat(exitCode).as(said).isZero();
        return said;
    }

    /**
     * Runs it with something to read.
     *
     * @param input what it reads
     * @return what it said, and how it ended
     */
    public static Cli run(List<String> memory, Path folder, Path input, String... arguments)
            throws IOException, InterruptedException {
        return run(main(memory, arguments), folder, input);
    }

    /** Runs any program with something to read. */
    public static Cli run(ProcessBuilder program, Path folder, Path input) throws IOException, InterruptedException {
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        Process process = program.redirectInput(input.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        int exitCode = end(process, err);
        return new Cli(exitCode, Files.readString(out), Files.readString(err));
    }

    private static int end(Process process, Path said) throws IOException, InterruptedException {
        boolean ended = process.waitFor(5, TimeUnit.MINUTES);
        process.destroyForcibly();
        assertThat(ended).as(Files.readString(said)).isTrue();
        return process.exitValue();
    }

    private static ProcessBuilder main(List<String> memory, String... arguments) {
        List<String> options = new ArrayList<>(memory);
        options.add("-Dlog4j2.configurationFile=../log4j2.properties");
        return java(options, System.getProperty("java.class.path"), Main.class.getName(), List.of(arguments));
    }

    /** Any program in a JVM with the flags that Spark asks for. */
    public static ProcessBuilder java(
            List<String> options, String classPath, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("@" + JVM_FLAGS, "-cp", classPath, mainClass));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }
}
