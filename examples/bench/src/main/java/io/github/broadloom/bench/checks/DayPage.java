package io.github.broadloom.bench.checks;

import io.github.broadloom.bench.Child;
import io.github.broadloom.tools.console.OutputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The report of a step of {@code gpu-day}, as far as it is: Markdown, made of what its processes have written. */
final class DayPage {
    private static final int LINES_SHOWN = 60;
    private static final String SECTION = "\n## ";

    private final DayStep step;
    private final Path file;
    private final Path folder;
    private final Map<DayPart, String> ends = new ConcurrentHashMap<>();

    /**
     * @param file that it becomes
     * @param folder of what the processes write
     */
    DayPage(DayStep step, Path file, Path folder) {
        this.step = step;
        this.file = file;
        this.folder = folder;
    }

    Path report(DayPart part) {
        return folder.resolve(part.name() + ".md");
    }

    Path log(DayPart part) {
        return folder.resolve(part.name() + ".log");
    }

    void ended(DayPart part, String how) throws IOException {
        ends.put(part, how);
        write();
    }

    static String words(int exitCode, int limitSeconds, double seconds) {
        if (exitCode == Child.End.TIMED_OUT) {
            return "ended after " + limitSeconds + " s, unfinished";
        }
        String how = exitCode == 0 ? "well" : "**failed**, exit code " + exitCode;
        return String.format(Locale.ROOT, "%s, %.1f s", how, seconds);
    }

    synchronized void write() throws IOException {
        OutputFile.write(file, markdown());
    }

    private String markdown() throws IOException {
        String head = "";
        StringBuilder parts = new StringBuilder("| part | ended |\n|---|---|\n");
        List<String> sections = new ArrayList<>();
        for (DayPart part : step.parts()) {
            parts.append(GpuReport.row(part.name(), ends.getOrDefault(part, "not yet")));
            if (part.reports() && Files.exists(report(part))) {
                String text = Files.readString(report(part));
                int at = text.indexOf(SECTION);
                String machine = (at < 0 ? text : text.substring(0, at)).replaceFirst("^# .*\\n+", "");
                head = head.isEmpty() ? machine.strip() + "\n\n" : head;
                sections.add(at < 0 ? "" : text.substring(at).replace(SECTION, SECTION + part.name() + ": "));
            } else if (Files.exists(log(part))) {
                sections.add(SECTION + part.name() + "\n\n" + GpuReport.verbatim(List.of(tail(log(part)))));
            }
        }
        return "# GPU, step " + step.number() + ": " + step.title() + "\n\n" + head + parts + String.join("", sections);
    }

    static String tail(Path log) throws IOException {
        List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                .lines()
                .toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
    }
}
