package io.github.broadloom.examples;

import io.github.broadloom.expr.OpsPage;
import picocli.CommandLine.Command;

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
        })
final class OpsCommand extends PageCommand {
    @Override
    String page() {
        return OpsPage.markdown();
    }
}
