package io.github.broadloom.tools.commands;

import io.github.broadloom.tools.console.UserError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of an example that makes its data where the user brings no files. */
final class MadeData {
    private static final long DEFAULT_SEED = 1;

    @Option(names = "--rows", paramLabel = "N", description = "Without files: how many rows to make.")
    private @Nullable Integer rows;

    @Option(names = "--columns", paramLabel = "D", description = "Without files: how many columns to make.")
    private @Nullable Integer columns;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Without files: which values to make (default: " + DEFAULT_SEED + ").")
    private @Nullable Long seed;

    /** @throws UserError where files are given, too, or a size is no size */
    void check(List<String> files) {
        if (!files.isEmpty() && (rows != null || columns != null || seed != null)) {
            throw new UserError(
                    "Cannot make rows or columns where files are given; leave out --rows, --columns, --seed");
        }
        checkSize("--rows", rows(1));
        checkSize("--columns", columns(1));
    }

    /** @throws UserError for less than one */
    static void checkSize(String option, int size) {
        if (size < 1) {
            throw new UserError("Cannot make " + size + " with " + option + "; give at least 1");
        }
    }

    int rows(int otherwise) {
        return rows == null ? otherwise : rows;
    }

    int columns(int otherwise) {
        return columns == null ? otherwise : columns;
    }

    long seed() {
        return seed == null ? DEFAULT_SEED : seed;
    }
}
