package io.github.broadloom.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class MainTest {
    private static final List<String> TOOLS = List.of(
            "eval",
            "info",
            "convert",
            "climatology",
            "anomalies",
            "shell",
            "hillshade",
            "nearest",
            "dedup",
            "standardize",
            "plan",
            "ops",
            "functions",
            "settings");

    @Test
    void aloneItListsEveryToolOnALine() {
        String out = Cli.run().succeeds().out();
        assertThat(out.lines()
                        .filter(line -> line.matches("  [\\w-]+ +\\S.*\\."))
                        .map(line -> line.strip().split(" ")[0]))
                .containsExactlyElementsOf(TOOLS);
    }

    @ParameterizedTest
    @FieldSource("TOOLS")
    void everyToolExplainsItselfWithExamples(String tool) {
        String out = Cli.run(tool, "--help").succeeds().out();
        assertThat(out).contains("Usage: broadloom " + tool, "Examples:", "  broadloom " + tool + " ", "--debug");
    }

    @ParameterizedTest
    @FieldSource("TOOLS")
    void everyOptionOfEveryToolIsDescribed(String tool) {
        var options =
                Main.commandLine().getSubcommands().get(tool).getCommandSpec().options();
        assertThat(options)
                .allSatisfy(option -> assertThat(option.description()).isNotEmpty());
    }

    @Test
    void versionNamesWhatItRunsOn() {
        assertThat(Cli.run("--version").succeeds().out()).contains("Broadloom", "Spark 4.2", "Java ");
    }

    @Test
    void unknownToolsAndOptionsAreUserErrors() {
        assertThat(Cli.run("evil").sentence())
                .contains("Cannot find the tool 'evil'")
                .contains(
                        "eval, info, convert, climatology, anomalies, shell, hillshade, nearest, dedup, standardize, plan, ops")
                .contains("--help");
        assertThat(Cli.run("eval", "x", "--shiny").sentence())
                .contains("Unknown option: '--shiny'")
                .contains("broadloom eval --help");
        assertThat(Cli.run("eval").sentence()).contains("EXPR");
    }

    @ParameterizedTest
    @CsvSource({"hillshad, hillshade", "evaluate, eval", "standard, standardize"})
    void aToolMisspeltBringsTheNearest(String typed, String meant) {
        assertThat(Cli.run(typed).sentence()).contains("did you mean '" + meant + "'? The tools are eval,");
    }

    @ParameterizedTest
    @FieldSource("io.github.broadloom.tools.console.DeveloperCommands#NAMES")
    void aCommandForDevelopersSaysWhereItIs(String name) {
        assertThat(Cli.run(name, "--quick").sentence())
                .isEqualTo("broadloom: Cannot run " + name + " here: it is for those who develop Broadloom, and not in"
                        + " this jar; start it in a checkout, as examples/run " + name + "; see 'broadloom --help'");
    }

    @Test
    void anOptionMisspeltBringsTheNearestAndAStrangeOneBringsNone() {
        assertThat(Cli.run("hillshade", "--azimuth", "3").sentence())
                .contains("Unknown option: '--azimuth'; did you mean '--azimuths'?");
        assertThat(Cli.run("hillshade", "--shiny").sentence()).doesNotContain("did you mean");
    }

    @Test
    void numbersAreAskedForInPlainWords() {
        assertThat(Cli.run("hillshade", "--azimuths", "1.5").sentence()).contains("'1.5' is not a whole number");
        assertThat(Cli.run("hillshade", "--cell", "far").sentence()).contains("'far' is not a number");
    }

    @Test
    void debugShowsWhereAnErrorCameFrom() {
        Cli run = Cli.run("eval", "x", "--in", "x=missing.npy", "--debug");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("there is no such file").contains("\tat io.github.broadloom");
    }
}
