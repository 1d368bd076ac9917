package io.github.broadloom.tools.session;

import io.github.broadloom.io.Npy;
import io.github.broadloom.io.Npz;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where an array is: {@code FILE}, or {@code FILE.npz:KEY}. */
public record ArrayAddress(String file, Optional<String> key) {
    private static final Pattern IN_ARCHIVE = Pattern.compile("(.*\\.npz):([^/]*)");

    public static ArrayAddress of(String text) {
        Matcher archive = IN_ARCHIVE.matcher(text);
        return archive.matches()
                ? new ArrayAddress(archive.group(1), Optional.of(archive.group(2)))
                : new ArrayAddress(text, Optional.empty());
    }

    /** Of this machine. */
    public Tensor read() throws IOException {
        return key.isPresent() ? Npz.read(Path.of(file), key.get()) : Npy.read(Path.of(file));
    }
}
