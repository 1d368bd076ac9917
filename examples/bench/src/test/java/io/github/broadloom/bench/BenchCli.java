package io.github.broadloom.bench;

import io.github.broadloom.tools.Cli;
import java.util.ArrayList;
import java.util.List;

/** The benchmark with the fewest calls: one that is measured, and none before. */
final class BenchCli {
    private BenchCli() {}

    /** Runs it with these arguments, of which {@code --repeat} may be one. */
    static Cli run(String... more) {
        List<String> arguments = new ArrayList<>(List.of("bench", "--warm-up", "0", "--warm-up-seconds", "0"));
        if (!List.of(more).contains("--repeat")) {
            arguments.addAll(List.of("--repeat", "1"));
        }
        arguments.addAll(List.of(more));
        return Cli.run(arguments.toArray(String[]::new));
    }
}
