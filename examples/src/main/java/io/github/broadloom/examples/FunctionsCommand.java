package io.github.broadloom.examples;

import io.github.broadloom.sql.FunctionsPage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the documentation page of all functions of SQL. */
@Command(
        name = "functions",
        header = "Prints the page of all functions of SQL, made of them: Markdown.",
        description = {"", "docs/sql-functions.md is what this prints; a test holds the two together.", ""},
        footer = {
            "",
            "Examples:",
            "  ${ROOT-COMMAND-NAME} functions | grep tensor_clamp",
            "  ${ROOT-COMMAND-NAME} functions > docs/sql-functions.md"
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class FunctionsCommand implements Runnable {
    @Mixin
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // picocli makes it; the handler of errors asks for it
    private DebugOption debug;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().getOut().print(FunctionsPage.markdown());
    }
}
