package io.github.broadloom.bench.checks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** NVIDIA's module of the Linux kernel: the version of the driver, which CUDA itself does not tell. */
final class NvidiaModule {
    private static final Path FILE = Path.of("/proc/driver/nvidia/version");
    private static final Pattern VERSION = Pattern.compile("Kernel Module[^\\n]*?\\s(\\d+(?:\\.\\d+)+)");

    private NvidiaModule() {}

    /** For instance {@code 570.86.15}; empty where there is none. */
    static Optional<String> version() {
        try {
            return version(Files.readString(FILE, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static Optional<String> version(String text) {
        Matcher matcher = VERSION.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
