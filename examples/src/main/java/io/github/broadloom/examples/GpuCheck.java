package io.github.broadloom.examples;

import java.io.IOException;

/** One of the checks of {@code gpu-check}. */
interface GpuCheck {

    /** The heading of what it finds. */
    String heading();

    /**
     * Runs it, and says on the console what fails while it does.
     *
     * @throws IOException where a file cannot be read
     */
    GpuReport.Section run(Console console) throws IOException;

    /** Runs it; what stops it is what it found. */
    default GpuReport.Section outcome(Console console) {
        try {
            return run(console);
        } catch (IOException | RuntimeException | LinkageError | AssertionError e) {
            return new GpuReport.Section(heading(), false, Complaint.about(e).sentence(), "");
        }
    }
}
