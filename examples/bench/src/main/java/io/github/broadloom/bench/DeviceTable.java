package io.github.broadloom.bench;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What a GPU did, as a Markdown table: a row for each workload with the copy of its bytes, Broadloom's share of that speed, and the others' times.
 *
 * @param workloads that were measured, in the order of the rows
 */
public record DeviceTable(List<Workload> workloads, List<Measurement> measurements) {
    private static final double MILLIS = 1e3;
    private static final double GIGA = 1e9;

    public DeviceTable {
        workloads = List.copyOf(workloads);
        measurements = List.copyOf(measurements);
    }

    /** The lines of the table. */
    public String markdown() {
        List<String> others = measurements.stream()
                .map(Measurement::who)
                .filter(who -> !who.equals(Measurement.CUDA))
                .distinct()
                .toList();
        StringBuilder table = new StringBuilder("| | | a copy, ms | GB/s | Broadloom, ms | GB/s | of a copy |");
        others.forEach(who -> table.append(' ').append(named(who)).append(", ms | to ours |"));
        table.append("\n|---|---|---:|---:|---:|---:|---:|")
                .append("---:|---:|".repeat(others.size()))
                .append('\n');
        workloads.forEach(workload -> row(table, workload, others));
        return table.toString();
    }

    /** With its version. */
    private String named(String who) {
        return measurements.stream()
                .filter(row -> row.who().equals(who))
                .map(row -> who + " " + row.version())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private void row(StringBuilder table, Workload workload, List<String> others) {
        Optional<Measurement> any = measurements.stream()
                .filter(row -> row.workload().equals(workload.name()))
                .findFirst();
        Optional<Measurement> own = find(workload, Measurement.CUDA);
        table.append("| ")
                .append(workload.name())
                .append(" | ")
                .append(workload.title())
                .append(" |");
        cell(table, any, row -> row.limitSeconds() * MILLIS, "");
        cell(table, any, row -> workload.bytes() / row.limitSeconds() / GIGA, "");
        cell(table, own, row -> row.seconds().median() * MILLIS, "");
        cell(table, own, row -> workload.bytes() / row.seconds().median() / GIGA, "");
        cell(table, own, row -> row.ofLimit() * 100, " %");
        for (String who : others) {
            Optional<Measurement> other = find(workload, who);
            cell(table, other, row -> row.seconds().median() * MILLIS, "");
            cell(
                    table,
                    own.flatMap(ours -> other),
                    row -> row.seconds().median() / own.orElseThrow().seconds().median(),
                    " x");
        }
        table.append('\n');
    }

    private Optional<Measurement> find(Workload workload, String who) {
        return measurements.stream()
                .filter(row ->
                        row.workload().equals(workload.name()) && row.who().equals(who))
                .findFirst();
    }

    private static void cell(
            StringBuilder table, Optional<Measurement> row, ToDoubleFunction<Measurement> figure, String unit) {
        String text = row.map(measurement -> Report.number(figure.applyAsDouble(measurement)) + unit)
                .orElse("–");
        table.append(' ').append(text).append(" |");
    }
}
