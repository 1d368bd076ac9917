package io.github.broadloom.tools.console;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file under another name first, so that nothing half written ever stands under its own. */
public final class OutputFile {
    private OutputFile() {}

    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Writes or replaces a file of text, in UTF-8. */
    public static void write(Path file, String text) throws IOException {
        write(file, stream -> stream.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Writes or replaces the file; makes the folders that lead to it. */
    public static void write(Path file, Content content) throws IOException {
        String name = "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".partial";
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path partial = file.resolveSibling(name);
        partial.toFile().deleteOnExit(); // on Ctrl-C no finally runs
        try {
            try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(partial))) {
                content.writeTo(stream);
            }
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(partial);
        }
    }
}
