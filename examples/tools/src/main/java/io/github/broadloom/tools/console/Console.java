package io.github.broadloom.tools.console;

import io.github.broadloom.tools.picture.ChartGrid;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What a tool tells while it works. */
public record Console(PrintWriter out) {
    public void say(String format, Object... arguments) {
        out.println(String.format(Locale.ROOT, format, arguments));
    }

    /** That a file is there, and what it holds. */
    public void wrote(Path file, String what) throws IOException {
        say("wrote %s: %s, %s", file, what, ByteSize.inWords(Files.size(file)));
    }

    /** Writes a picture, where this JDK can draw. */
    public void draw(ChartGrid panels, Path file, String what) throws IOException {
        try {
            OutputFile.write(file, panels::writePng);
            wrote(file, what);
        } catch (UnsupportedOperationException noFonts) {
            say("%s is left out: this JDK has no fonts", file);
        }
    }
}
