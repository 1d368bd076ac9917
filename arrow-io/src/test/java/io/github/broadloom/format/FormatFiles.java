package io.github.broadloom.format;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;

/** The files of {@code src/test/resources/formats}. */
public final class FormatFiles {
    private FormatFiles() {}

    /** @param name with its folder: {@code netcdf/classic.nc} */
    public static Path path(String name) {
        try {
            return Path.of(Objects.requireNonNull(FormatFiles.class.getResource("/formats/" + name), name)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    public static LocalStore store(String name) {
        return LocalStore.of(path(name));
    }
}
