package io.github.broadloom.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder of sources that the build gives to each program as its one argument. */
record SourceFolder(Path root) {
    static SourceFolder of(String... args) {
        if (args.length != 1) {
            throw new IllegalArgumentException("Cannot write sources: give the folder to write to");
        }
        return new SourceFolder(Path.of(args[0]));
    }

    /** Leaves a file alone that has this text already, so that nothing is compiled again for it. */
    void write(String packageName, String className, String text) throws IOException {
        Path file = root.resolve(packageName.replace('.', '/')).resolve(className + ".java");
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
    }
}
