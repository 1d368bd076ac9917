package io.github.broadloom.bench.checks;

import io.github.broadloom.cuda.driver.CudaPart;
import java.util.List;

/**
 * What {@code gpu-check} found, as Markdown.
 *
 * @param title which program, on which machine, when
 */
record GpuReport(String title, List<CudaPart> parts, List<Section> sections) {
    /**
     * What one check found.
     *
     * @param sound whether nothing failed
     * @param summary a line for people
     * @param markdown what is below the heading
     */
    record Section(String heading, boolean sound, String summary, String markdown) {
        Section unfinished() {
            return new Section(heading, sound, "So far: " + summary, markdown);
        }
    }

    GpuReport {
        parts = List.copyOf(parts);
        sections = List.copyOf(sections);
    }

    boolean isSound() {
        return sections.stream().allMatch(Section::sound);
    }

    String markdown() {
        StringBuilder page = new StringBuilder("# GPU check\n\n").append(title).append("\n\n");
        page.append("| part | usable | what was found |\n|---|---|---|\n");
        for (CudaPart part : parts) {
            page.append(row(part.name(), part.present() ? "yes" : "no", part.description()));
        }
        for (Section section : sections) {
            page.append("\n## ").append(section.heading).append("\n\n");
            page.append(section.sound ? "" : "**Failed.** ")
                    .append(section.summary)
                    .append("\n");
            page.append(section.markdown.isEmpty() ? "" : "\n" + section.markdown);
        }
        return page.toString();
    }

    static String row(Object... cells) {
        StringBuilder row = new StringBuilder("|");
        for (Object cell : cells) {
            row.append(' ').append(String.valueOf(cell).replace("|", "\\|")).append(" |");
        }
        return row.append('\n').toString();
    }

    static String verbatim(List<String> texts) {
        return texts.isEmpty() ? "" : "```\n" + String.join("\n\n", texts) + "\n```\n";
    }
}
