package io.github.broadloom.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.broadloom.tools.picture.ChartGrid;
import java.io.PrintWriter;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;

/**
 * The measurements as a table for people, as one of a document, and as JSON for programs.
 *
 * @param memory what local evaluations took, by workload, as far as it was measured
 */
public record Report(List<Measurement> measurements, Map<String, MeasuredPeak> memory) {
    private static final double MILLIS = 1e3;
    private static final double MEBI = 1 << 20;

    public Report {
        measurements = List.copyOf(measurements);
        memory = Map.copyOf(memory);
    }

    /** One row for each measurement; times in milliseconds, and how many times longer than Broadloom's own. */
    public void print(PrintWriter out) {
        ColorScheme plain = new ColorScheme.Builder(Ansi.OFF).build();
        TextTable table = TextTable.forColumns(
                plain,
                IntStream.of(10, 18, 14, 12, 12, 12, 12)
                        .mapToObj(width -> new Column(width, width == 10 ? 0 : 1, Column.Overflow.TRUNCATE))
                        .toArray(Column[]::new));
        table.addRowValues("workload", "who", "version", "median ms", "min ms", "of a copy", "to ours");
        byWorkload().forEach((workload, rows) -> {
            double own = own(rows);
            String label = workload;
            for (Measurement row : rows) {
                table.addRowValues(
                        label,
                        row.who(),
                        row.version(),
                        number(row.seconds().median() * MILLIS),
                        number(row.seconds().min() * MILLIS),
                        Math.round(row.ofLimit() * 100) + " %",
                        Double.isNaN(own) ? "" : number(row.seconds().median() / own) + " x");
                label = "";
            }
        });
        out.print(table);
        for (String workload : byWorkload().keySet()) {
            MeasuredPeak peak = memory.get(workload);
            if (peak != null) {
                out.printf(
                        Locale.ROOT,
                        "peak memory: %s %s: %.1f MiB, of which operands %.1f, result %.1f, anything else %.1f%n",
                        workload,
                        Measurement.LOCAL,
                        peak.peakBytes() / MEBI,
                        peak.inputBytes() / MEBI,
                        peak.resultBytes() / MEBI,
                        peak.besidesBytes() / MEBI);
            }
        }
        out.flush();
    }

    private static double own(List<Measurement> rows) {
        return rows.stream()
                .filter(Measurement::isOwn)
                .mapToDouble(row -> row.seconds().median())
                .findFirst()
                .orElse(Double.NaN);
    }

    static String number(double value) {
        int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** The measurements of each workload, in the order of the run. */
    public Map<String, List<Measurement>> byWorkload() {
        return measurements.stream()
                .collect(Collectors.groupingBy(Measurement::workload, LinkedHashMap::new, Collectors.toList()));
    }

    /** One object with the machine, the date and an array of results; times in seconds. */
    public String json() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("machine", Machine.describe());
        root.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        ArrayNode results = root.putArray("results");
        for (Measurement measurement : measurements) {
            ObjectNode result = results.addObject();
            result.put("workload", measurement.workload());
            result.put("who", measurement.who());
            result.put("version", measurement.version());
            result.put("min_s", measurement.seconds().min());
            result.put("median_s", measurement.seconds().median());
            result.put("limit_s", measurement.limitSeconds());
            MeasuredPeak peak = memory.get(measurement.workload());
            if (peak != null && measurement.who().equals(Measurement.LOCAL)) {
                result.put("peak_bytes", peak.peakBytes());
                result.put("operands_and_result_bytes", peak.inputBytes() + peak.resultBytes());
            }
        }
        return root.toPrettyString() + "\n";
    }

    /** The medians in milliseconds, in Markdown: a row for each contender, a column for each workload; before it a line about the machine. */
    public String markdown() {
        Map<String, List<Measurement>> byWorkload = byWorkload();
        String calls = measurements.stream()
                .map(row -> row.seconds().count())
                .distinct()
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(" or "));
        StringBuilder text = new StringBuilder("Medians in milliseconds, " + calls + " calls each. "
                + Machine.describe() + ", " + LocalDate.now(ZoneOffset.UTC) + ".\n\n|  |");
        byWorkload
                .keySet()
                .forEach(workload -> text.append(' ').append(workload).append(" |"));
        text.append("\n|---|").append("---:|".repeat(byWorkload.size())).append("\n| a copy of the bytes |");
        byWorkload.values().forEach(rows -> cell(text, rows.get(0).limitSeconds()));
        text.append('\n');
        measurements.stream()
                .collect(Collectors.groupingBy(Measurement::who, LinkedHashMap::new, Collectors.toList()))
                .forEach((who, own) -> row(text, own, byWorkload.keySet()));
        return text.toString();
    }

    /** The medians as bars on logarithmic scales: a panel for each workload, of which there is at least one. */
    public ChartGrid chart() {
        List<ChartPanel> panels = byWorkload().entrySet().stream()
                .map(of -> new ChartPanel(of.getKey(), of.getValue()))
                .toList();
        List<String> head = List.of(
                "Milliseconds for a call: medians, shorter is better",
                "Logarithmic scales; the dashed line is a copy of the same bytes",
                Machine.describe());
        return new ChartGrid(head, Math.min(2, panels.size()), 24, panels);
    }

    private static void row(StringBuilder text, List<Measurement> own, Set<String> workloads) {
        String who = own.get(0).who();
        String versions = own.stream().map(Measurement::version).distinct().collect(Collectors.joining(", "));
        text.append("| ").append(who.startsWith("broadloom") ? who : who + " " + versions);
        text.append(" |");
        for (String workload : workloads) {
            double seconds = own.stream()
                    .filter(row -> row.workload().equals(workload))
                    .mapToDouble(row -> row.seconds().median())
                    .findFirst()
                    .orElse(Double.NaN);
            cell(text, seconds);
        }
        text.append('\n');
    }

    private static void cell(StringBuilder text, double seconds) {
        text.append(' ')
                .append(Double.isNaN(seconds) ? "–" : number(seconds * MILLIS))
                .append(" |");
    }
}
