package io.github.broadloom.cuda.compiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One NVRTC on disk.
 *
 * @param library {@code libnvrtc.so.12}
 * @param builtins the libraries beside it with what every kernel is compiled against: NVRTC picks the one of its version by name
 * @param major the version in the library's name: 12
 */
record NvrtcFiles(Path library, List<Path> builtins, int major) {
    private static final Pattern LIBRARY = Pattern.compile("libnvrtc\\.so\\.(\\d+)(\\.\\d+)*");
    private static final Pattern MINOR = Pattern.compile("libnvrtc(?:-builtins)?\\.so\\.(\\d+\\.\\d+)(\\.\\d+)*");

    NvrtcFiles {
        builtins = List.copyOf(builtins);
    }

    /** What a path names: a library, or a folder that holds some, the lowest version first; none where nothing is there. */
    static List<NvrtcFiles> at(Path path) throws IOException {
        List<NvrtcFiles> found = new ArrayList<>();
        for (Path file : Files.isRegularFile(path) ? List.of(path) : files(path, "libnvrtc\\.so.*")) {
            Optional<Integer> version = major(file);
            if (version.isPresent()) {
                int major = version.get();
                Path folder = file.toRealPath().resolveSibling("");
                found.add(new NvrtcFiles(file, files(folder, "libnvrtc-builtins\\.so\\." + major + "\\.\\d+"), major));
            }
        }
        found.sort(Comparator.comparingInt(NvrtcFiles::major));
        return found;
    }

    /** The version, found without loading a library of 100 MB: that of the {@linkplain #namedVersion names}, else a checksum of the library. */
    String version() throws IOException {
        Optional<String> named = namedVersion();
        return named.isPresent() ? named.get() : "%d-%08x".formatted(major, NvrtcJar.checksum(library));
    }

    /** The version in the library's name, {@code 12.9}, else that in the name of its only built-ins. */
    Optional<String> namedVersion() throws IOException {
        Optional<String> own = minor(library.toRealPath());
        List<String> named = builtins.stream()
                .flatMap(file -> minor(file).stream())
                .distinct()
                .toList();
        return own.isPresent() || named.size() != 1 ? own : Optional.of(named.get(0));
    }

    private static Optional<String> minor(Path file) {
        Matcher name = MINOR.matcher(String.valueOf(file.getFileName()));
        return name.matches() ? Optional.of(name.group(1)) : Optional.empty();
    }

    /** The version that a file's name has, or the name of the file that it links to. */
    private static Optional<Integer> major(Path library) throws IOException {
        for (Path named : List.of(library, library.toRealPath())) {
            Matcher name = LIBRARY.matcher(String.valueOf(named.getFileName()));
            if (name.matches()) {
                return Optional.of(Integer.valueOf(name.group(1)));
            }
        }
        return Optional.empty();
    }

    private static List<Path> files(Path folder, String name) throws IOException {
        if (!Files.isDirectory(folder) || !Files.isReadable(folder)) {
            return List.of();
        }
        Pattern pattern = Pattern.compile(name);
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file ->
                            pattern.matcher(String.valueOf(file.getFileName())).matches() && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        }
    }
}
