package io.github.broadloom.bench.checks;

import io.github.broadloom.bench.Child;
import io.github.broadloom.tools.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One process of a step of {@code gpu-day}.
 *
 * @param under the command that it is, or under which {@code gpu-check} runs; nothing for {@code gpu-check} alone
 * @param check the options of {@code gpu-check}; nothing where {@code under} is all
 */
record DayPart(String name, int seconds, List<String> under, List<String> check, List<String> jvm) {
    private static final List<Path> TOOLKIT = List.of(Path.of("/usr/local/cuda/bin"), Path.of("/opt/cuda/bin"));

    DayPart {
        under = List.copyOf(under);
        check = List.copyOf(check);
        jvm = List.copyOf(jvm);
    }

    DayPart(String name, int seconds, List<String> under, List<String> check) {
        this(name, seconds, under, check, List.of());
    }

    /** {@code gpu-check} with these options. */
    static DayPart check(String name, int seconds, String... options) {
        return new DayPart(name, seconds, List.of(), List.of(options));
    }

    static DayPart program(String name, int seconds, String... command) {
        return new DayPart(name, seconds, List.of(command), List.of());
    }

    DayPart under(String... program) {
        return new DayPart(name, seconds, List.of(program), check, jvm);
    }

    DayPart with(String option) {
        return new DayPart(name, seconds, under, check, List.of(option));
    }

    /** The program that this machine lacks; nothing where it can run. */
    Optional<String> missing() {
        return under.isEmpty() || find(under.get(0)).isPresent() ? Optional.empty() : Optional.of(under.get(0));
    }

    /** Whether {@code gpu-check} writes a report; what other programs say is all that there is. */
    boolean reports() {
        return under.isEmpty();
    }

    List<String> command(Path report) {
        List<String> command = new ArrayList<>();
        if (!under.isEmpty()) {
            command.add(find(under.get(0)).orElseThrow().toString());
            command.addAll(under.subList(1, under.size()));
        }
        if (!check.isEmpty()) {
            command.addAll(Child.java(jvm, Main.class, "gpu-check", "--require-gpu", "--markdown", report.toString()));
            command.addAll(check);
        }
        return command;
    }

    /** On the {@code PATH}, or in CUDA's toolkit. */
    private static Optional<Path> find(String program) {
        Stream<Path> path = Arrays.stream(
                        System.getenv().getOrDefault("PATH", "").split(":"))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of);
        return Stream.concat(path, TOOLKIT.stream())
                .map(folder -> folder.resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
