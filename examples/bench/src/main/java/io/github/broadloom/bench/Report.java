package io.github.broadloom.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;

/** The measurements as a table for people and as JSON for programs. */
public final class Report {
    private static final double MILLIS = 1e3;
    private static final double MEBI = 1 << 20;

    private final List<Measurement> measurements;
    private final Map<String, MeasuredPeak> memory;

    /**
     * The report of a run.
     *
     * @param memory what local evaluations took, by workload, as far as it was measured
     */
    public Report(List<Measurement> measurements, Map<String, MeasuredPeak> memory) {
        this.measurements = List.copyOf(measurements);
        this.memory = Map.copyOf(memory);
    }

    /** One row for each measurement; times in milliseconds, and how many times longer than Broadloom's own. */
    public void print(PrintWriter out) {
        ColorScheme plain = new ColorScheme.Builder(Ansi.OFF).build();
        TextTable table = TextTable.forColumns(
                plain,
                new Column(10, 0, Column.Overflow.TRUNCATE),
                new Column(18, 1, Column.Overflow.TRUNCATE),
                new Column(14, 1, Column.Overflow.TRUNCATE),
                new Column(12, 1, Column.Overflow.TRUNCATE),
                new Column(12, 1, Column.Overflow.TRUNCATE),
                new Column(12, 1, Column.Overflow.TRUNCATE),
                new Column(12, 1, Column.Overflow.TRUNCATE));
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

    /** Three significant digits. */
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
    public void writeJson(OutputStream out) throws IOException {
        ObjectMapper json = new ObjectMapper();
        ObjectNode root = json.createObjectNode();
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
        out.write(json.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
        out.write('\n');
    }
}
