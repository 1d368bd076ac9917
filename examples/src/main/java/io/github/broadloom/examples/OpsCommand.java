package io.github.broadloom.examples;

import io.github.broadloom.expr.OpsPage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the documentation page of all operations. */
@Command(
        name = "ops",
        header = "Prints the page of all operations, made from their table: Markdown.",
        description = {"", "docs/ops.md is what this prints; a test holds the two together.", ""},
        footer = {
            "",
            "Examples:",
            "  ${ROOT-COMMAND-NAME} ops | grep logaddexp",
            "  ${ROOT-COMMAND-NAME} ops > docs/ops.md"
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class OpsCommand implements Runnable {
    @Mixin
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // picocli makes it; the handler of errors asks for it
    private DebugOption debug;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().getOut().print(OpsPage.markdown());
    }
}
