package io.github.broadloom.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The medians as a table of a document: a row for each contender, a column for each workload, milliseconds. */
public final class MarkdownTable {
    private static final double MILLIS = 1e3;

    private final Map<String, List<Measurement>> byWorkload;

    /** The table of these measurements, by workload. */
    public MarkdownTable(Map<String, List<Measurement>> byWorkload) {
        this.byWorkload = byWorkload;
    }

    /** Writes it, with a line about the machine. */
    public void write(OutputStream out) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append("Medians in milliseconds, ").append(calls()).append(" calls each. ");
        text.append(Machine.describe()).append(", ").append(LocalDate.now(ZoneOffset.UTC));
        text.append(".\n\n|  |");
        byWorkload
                .keySet()
                .forEach(workload -> text.append(' ').append(workload).append(" |"));
        text.append("\n|---|").append("---:|".repeat(byWorkload.size())).append("\n| a copy of the bytes |");
        byWorkload.values().forEach(rows -> cell(text, rows.get(0).limitSeconds()));
        text.append('\n');
        contenders().forEach((who, versions) -> row(text, who, versions));
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private String calls() {
        Set<Integer> counts = new TreeSet<>();
        byWorkload
                .values()
                .forEach(rows -> rows.forEach(row -> counts.add(row.seconds().count())));
        return counts.stream().map(String::valueOf).collect(Collectors.joining(" or "));
    }

    private Map<String, Set<String>> contenders() {
        Map<String, Set<String>> contenders = new LinkedHashMap<>();
        byWorkload
                .values()
                .forEach(rows -> rows.forEach(row -> contenders
                        .computeIfAbsent(row.who(), who -> new LinkedHashSet<>())
                        .add(row.version())));
        return contenders;
    }

    private void row(StringBuilder text, String who, Set<String> versions) {
        text.append("| ").append(who);
        if (!who.startsWith("broadloom")) {
            text.append(' ').append(String.join(", ", versions));
        }
        text.append(" |");
        for (List<Measurement> rows : byWorkload.values()) {
            double seconds = rows.stream()
                    .filter(row -> row.who().equals(who))
                    .mapToDouble(row -> row.seconds().median())
                    .findFirst()
                    .orElse(Double.NaN);
            cell(text, seconds);
        }
        text.append('\n');
    }

    private static void cell(StringBuilder text, double seconds) {
        if (Double.isNaN(seconds)) {
            text.append(" – |");
        } else {
            text.append(' ').append(Report.number(seconds * MILLIS)).append(" |");
        }
    }
}
