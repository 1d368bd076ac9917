package io.github.broadloom.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.broadloom.tools.Cli;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark of SQL, over tables of a few rows. */
class TableBenchTest {
    @TempDir
    Path folder;

    /** Who computes something else than the tensors would be named. */
    @Test
    void everyExpressionOfSqlIsMeasuredAndComputesWhatTheTensorsDo() throws IOException {
        Path json = folder.resolve("bench.json");
        Cli run = bench("sql", "--json", json.toString()).succeeds();
        assertThat(run.out()).doesNotContain("not measured");
        List<String> measured = new ArrayList<>();
        for (JsonNode result : new ObjectMapper().readTree(json.toFile()).get("results")) {
            measured.add(
                    result.get("workload").asText() + " " + result.get("who").asText());
            assertThat(result.get("limit_s").asDouble()).isPositive();
        }
        List<String> wanted = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            wanted.addAll(List.of("S" + i + " broadloom-sql", "S" + i + " spark-sql"));
        }
        wanted.addAll(List.of("S9 broadloom-frame", "S9 spark-rdd", "S9 spark-copy"));
        assertThat(measured).isEqualTo(wanted);
    }

    /** Spark's functions are 1.00 times themselves only beside ours; each workload has those who know it. */
    @Test
    void workloadsOfTensorsAndOfTablesGoTogether() {
        List<String> rows = bench("W8", "s1", "--only", "broadloom-local,spark-sql")
                .succeeds()
                .out()
                .lines()
                .skip(1)
                .toList();
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0)).startsWith("W8 ").contains("broadloom-local");
        assertThat(rows.get(1)).startsWith("S1 ").contains("spark-sql");
    }

    private static Cli bench(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--elements", "2560"));
        arguments.addAll(List.of(more));
        return BenchCli.run(arguments.toArray(String[]::new));
    }
}
