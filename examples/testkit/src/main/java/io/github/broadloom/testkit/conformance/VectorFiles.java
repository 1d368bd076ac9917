package io.github.broadloom.testkit.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of vectors that the tests run: the golden ones, or those that {@code -Dconformance.files=GLOB} names. */
public final class VectorFiles {
    /** The system property with a pattern of files of the same format. What is not absolute is below the root of the repository. */
    private static final String GLOB = "conformance.files";

    private static final Pattern WILDCARD = Pattern.compile("[*?\\[{]");

    private VectorFiles() {}

    /** The names of the files, for {@link #file}. */
    public static List<String> names() {
        String glob = System.getProperty(GLOB);
        return glob == null
                ? GoldenFiles.ALL
                : matching(glob, repository()).stream().map(Path::toString).toList();
    }

    /** A file: what lies on the class path is copied to that folder. */
    public static Path file(String name, Path folder) {
        return System.getProperty(GLOB) == null ? GoldenFiles.copy(name, folder) : Path.of(name);
    }

    private static Path repository() {
        Path here = Path.of("").toAbsolutePath();
        Path root = here;
        while (root != null && !Files.exists(root.resolve(".mvn"))) {
            root = root.getParent();
        }
        return root == null ? here : root;
    }

    /**
     * The files that a pattern names, in the order of their names.
     *
     * @param root what the pattern is relative to
     * @throws IllegalArgumentException where there is none
     */
    public static List<Path> matching(String glob, Path root) {
        Path pattern = root.resolve(glob).normalize();
        Path folder = pattern;
        while (WILDCARD.matcher(folder.toString()).find()) {
            folder = Objects.requireNonNull(folder.getParent()); // a root has no wildcard
        }
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        List<Path> found = Files.exists(folder) ? filesBelow(folder) : List.of();
        List<Path> matching = found.stream().filter(matcher::matches).toList();
        if (matching.isEmpty()) {
            throw new IllegalArgumentException("Cannot run the vectors of -D" + GLOB + "=" + glob + ": no file matches "
                    + pattern + "; name files of vectors, with *, ** and ? for what may stand there");
        }
        return matching;
    }

    private static List<Path> filesBelow(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<Verdict> failures(Path file, Engine engine, Consumer<Verdict> verdicts) {
        List<Verdict> failed = new ArrayList<>();
        try {
            new Conformance(engine).run(file, verdict -> {
                verdicts.accept(verdict);
                if (verdict.outcome() == Verdict.Outcome.FAILED) {
                    failed.add(verdict);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return failed;
    }
}
