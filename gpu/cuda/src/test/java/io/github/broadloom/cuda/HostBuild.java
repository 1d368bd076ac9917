package io.github.broadloom.cuda;

import io.github.broadloom.cuda.compiler.CacheFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * g++ for the tests: shared objects of C++ texts, kept by their content in the user's {@link CacheFolder} (or where the system property
 * {@code broadloom.fake.cuda} says), so that a second build compiles nothing. Several processes may use it at once. It is bounded: what nobody has used for
 * longest goes first.
 */
final class HostBuild {
    /** Where what g++ made lies. */
    static final Path FOLDER = folder();

    private static final long MOST_BYTES = 512L << 20;
    /** What was used so shortly ago, somebody may still want to load. */
    private static final Duration IN_USE = Duration.ofHours(2);

    /** What g++ says of itself, if it is there: another one makes other objects. */
    private static final Optional<String> COMPILER = probe();

    private static final AtomicBoolean TRIMMED = new AtomicBoolean();

    private HostBuild() {}

    /** Why nothing can be built here: one sentence; empty where it can. */
    static Optional<String> missing() {
        return COMPILER.isPresent() ? Optional.empty() : Optional.of("no g++ on this machine");
    }

    /** The hash of a text, and of the compiler. */
    static String hashWithCompiler(String text) {
        return hash(COMPILER.orElse("") + text);
    }

    private static Path folder() {
        String chosen = System.getProperty("broadloom.fake.cuda");
        if (chosen == null) {
            try {
                return CacheFolder.of("test-builds");
            } catch (IOException e) {
                chosen = "target/fake-cuda"; // of this build alone
            }
        }
        return Path.of(chosen).toAbsolutePath().normalize();
    }

    private static Optional<String> probe() {
        try {
            return Optional.of(run(List.of("g++", "--version"), Path.of(".")));
        } catch (IOException | IllegalStateException e) {
            return Optional.empty();
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
        String name = hashWithCompiler(text + options);
        Path target = FOLDER.resolve(name + suffix);
        if (Files.exists(target)) {
            return used(target);
        }
        try {
            Files.createDirectories(FOLDER);
            if (!TRIMMED.getAndSet(true)) {
                trim();
            }
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

    /** Makes a shared object known by another name, too, as which {@link #known} has it while it is there. */
    static void name(String name, Path object) {
        try {
            Path fresh = FOLDER.resolve(name + "." + UUID.randomUUID());
            Files.createSymbolicLink(fresh, object.getFileName());
            Files.move(
                    fresh, FOLDER.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The shared object that somebody gave that name, in this process or in another one. */
    static Optional<Path> known(String name) {
        try {
            return Optional.of(used(FOLDER.resolve(name).toRealPath()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Path used(Path file) {
        try {
            if (lastUse(file).isBefore(Instant.now().minus(IN_USE.dividedBy(2)))) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    private static Instant lastUse(Path file) throws IOException {
        return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
    }

    /** Deletes what was used longest ago until half the bound is left, and names of what is gone. */
    private static void trim() throws IOException {
        Map<Path, Instant> files = new HashMap<>();
        try (Stream<Path> all = Files.list(FOLDER)) {
            for (Path file : all.filter(file -> !Files.isDirectory(file)).toList()) {
                files.put(file, lastUse(file));
            }
            long bytes = 0;
            for (Path file : files.keySet()) {
                bytes += Files.isSymbolicLink(file) ? 0 : Files.size(file);
            }
            if (bytes <= MOST_BYTES) {
                return;
            }
            Instant inUse = Instant.now().minus(IN_USE);
            List<Path> unused = files.keySet().stream()
                    .filter(file -> files.get(file).isBefore(inUse))
                    .sorted(Comparator.comparing(files::get))
                    .toList();
            for (Path file : unused) {
                boolean link = Files.isSymbolicLink(file);
                if (link || bytes > MOST_BYTES / 2) {
                    bytes -= link ? 0 : Files.size(file);
                    Files.deleteIfExists(file);
                }
            }
        } catch (NoSuchFileException | UncheckedIOException gone) {
            return; // another process trims
        }
    }

    private static String run(List<String> command, Path folder) throws IOException {
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
            return output;
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
