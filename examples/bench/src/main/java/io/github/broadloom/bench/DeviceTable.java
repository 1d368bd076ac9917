package io.github.broadloom.bench;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What a GPU did, as a Markdown table: a row for each workload with the copy of its bytes, Broadloom's share of that speed, and the others' times. */
public record DeviceTable(List<Workload> workloads, List<Measurement> measurements) {
    private static final double MILLIS = 1e3;
    private static final double GIGA = 1e9;

    public DeviceTable {
        workloads = List.copyOf(workloads);
        measurements = List.copyOf(measurements);
    }

    public String markdown() {
        List<String> others = measurements.stream()
                .map(Measurement::who)
                .filter(who -> !who.equals(Measurement.CUDA))
                .distinct()
                .toList();
        String head = others.stream()
                .map(who -> " " + named(who) + ", ms | to ours |")
                .collect(Collectors.joining());
        String rows = workloads.stream().map(workload -> row(workload, others)).collect(Collectors.joining());
        return "| | | a copy, ms | GB/s | Broadloom, ms | GB/s | of a copy |" + head
                + "\n|---|---|---:|---:|---:|---:|---:|" + "---:|---:|".repeat(others.size()) + "\n" + rows;
    }

    private String named(String who) {
        return measurements.stream()
                .filter(row -> row.who().equals(who))
                .map(row -> who + " " + row.version())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private String row(Workload workload, List<String> others) {
        Optional<Measurement> any = measurements.stream()
                .filter(row -> row.workload().equals(workload.name()))
                .findFirst();
        Optional<Measurement> own = find(workload, Measurement.CUDA);
        StringBuilder cells = new StringBuilder("| " + workload.name() + " | " + workload.title() + " |")
                .append(cell(any, row -> row.limitSeconds() * MILLIS, ""))
                .append(cell(any, row -> workload.bytes() / row.limitSeconds() / GIGA, ""))
                .append(cell(own, row -> row.seconds().median() * MILLIS, ""))
                .append(cell(own, row -> workload.bytes() / row.seconds().median() / GIGA, ""))
                .append(cell(own, row -> row.ofLimit() * 100, " %"));
        for (String who : others) {
            Optional<Measurement> other = find(workload, who);
            double ours = own.map(row -> row.seconds().median()).orElse(Double.NaN);
            cells.append(cell(other, row -> row.seconds().median() * MILLIS, ""))
                    .append(cell(own.flatMap(row -> other), row -> row.seconds().median() / ours, " x"));
        }
        return cells.append('\n').toString();
    }

    private Optional<Measurement> find(Workload workload, String who) {
        return measurements.stream()
                .filter(row ->
                        row.workload().equals(workload.name()) && row.who().equals(who))
                .findFirst();
    }

    private static String cell(Optional<Measurement> row, ToDoubleFunction<Measurement> figure, String unit) {
        return " "
                + row.map(of -> Report.number(figure.applyAsDouble(of)) + unit).orElse("–") + " |";
    }
}
