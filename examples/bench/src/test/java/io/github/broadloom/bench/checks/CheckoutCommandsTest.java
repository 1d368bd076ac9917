package io.github.broadloom.bench.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.tools.Cli;
import io.github.broadloom.tools.console.DeveloperCommands;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine;

class CheckoutCommandsTest {
    private static final List<Class<?>> COMMANDS = new CheckoutCommands().commands();

    @Test
    void theToolsKnowTheirNames() {
        assertThat(COMMANDS.stream().map(command -> new CommandLine(command).getCommandName()))
                .containsExactlyElementsOf(DeveloperCommands.NAMES);
    }

    @Test
    void theyAreListedBelowThoseForUsers() {
        String[] parts = Cli.run().succeeds().out().split("For those who develop Broadloom:\n\n");
        assertThat(parts).hasSize(2);
        assertThat(parts[0].lines().filter(line -> line.matches("  [\\w-]+ +\\S.*\\.")))
                .hasSize(14);
        assertThat(parts[1].lines()
                        .filter(line -> line.matches("  [\\w-]+ +\\S.*\\."))
                        .map(line -> line.strip().split(" ")[0]))
                .containsExactlyElementsOf(DeveloperCommands.NAMES);
    }

    @ParameterizedTest
    @FieldSource("io.github.broadloom.tools.console.DeveloperCommands#NAMES")
    void everyOneExplainsItselfWithExamples(String name) {
        String out = Cli.run(name, "--help").succeeds().out();
        assertThat(out).contains("Usage: broadloom " + name, "Examples:", "  broadloom " + name + " ", "--debug");
    }

    @ParameterizedTest
    @FieldSource("COMMANDS")
    void everyOptionIsDescribed(Class<?> command) {
        assertThat(new CommandLine(command).getCommandSpec().options())
                .allSatisfy(option -> assertThat(option.description()).isNotEmpty());
    }
}
