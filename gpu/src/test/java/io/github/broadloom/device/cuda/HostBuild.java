package io.github.broadloom.device.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * g++ for the tests: shared objects of C++ texts, kept by their content in {@code target/fake-cuda} (or where the system property
 * {@code broadloom.fake.cuda} says), so that a second run compiles nothing.
 */
final class HostBuild {
    /** Where everything of the tests' GPU lies. */
    static final Path FOLDER = Path.of(System.getProperty("broadloom.fake.cuda", "target/fake-cuda"))
            .toAbsolutePath()
            .normalize();

    private static final Optional<String> MISSING = probe();

    private HostBuild() {}

    /** Why nothing can be built here: one sentence; empty where it can. */
    static Optional<String> missing() {
        return MISSING;
    }

    private static Optional<String> probe() {
        try {
            run(List.of("g++", "--version"), Path.of("."));
            return Optional.empty();
        } catch (IOException | IllegalStateException e) {
            return Optional.of("no g++ on this machine");
        }
    }

    /** The text of a resource of the folder {@code cuda}. */
    static String resource(String name) {
        try (InputStream in = HostBuild.class.getResourceAsStream("/cuda/" + name)) {
            if (in == null) {
                throw new IllegalStateException("Cannot find cuda/" + name + " on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The shared object of one translation unit, built unless it is there.
     *
     * @throws IllegalStateException with what g++ says where it refuses the text; the text stays beside the folder's objects
     */
    static Path sharedObject(String text, List<String> options) {
        return built(
                text,
                ".so",
                Stream.concat(Stream.of("-shared", "-fPIC"), options.stream()).toList());
    }

    /** As {@link #sharedObject}, a program. */
    static Path program(String text, List<String> options) {
        return built(text, ".program", options);
    }

    private static Path built(String text, String suffix, List<String> options) {
        String name = hash(text + options);
        Path target = FOLDER.resolve(name + suffix);
        if (Files.exists(target)) {
            return target;
        }
        try {
            Files.createDirectories(FOLDER);
            Path fresh = Files.createTempFile(FOLDER, name, ".part");
            Path source = Path.of(fresh + ".cpp"); // of this process alone; others may build the same
            Files.writeString(source, text);
            List<String> command = new ArrayList<>(List.of("g++", "-std=c++17", "-w"));
            command.addAll(options);
            command.addAll(List.of("-o", fresh.toString(), source.toString()));
            run(command, FOLDER);
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Files.move(source, FOLDER.resolve(name + ".cpp"), StandardCopyOption.REPLACE_EXISTING);
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(List<String> command, Path folder) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(
                        "Cannot compile for the host: " + String.join(" ", command) + "\n" + output);
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Cannot compile for the host: interrupted", e);
        }
    }

    /** The first 16 hex digits of a text's SHA-256. */
    static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
