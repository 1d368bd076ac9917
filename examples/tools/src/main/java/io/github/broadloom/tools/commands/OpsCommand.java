package io.github.broadloom.tools.commands;

import io.github.broadloom.expr.parse.OpsPage;
import io.github.broadloom.tools.console.PageCommand;
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
public final class OpsCommand extends PageCommand {
    @Override
    public String page() {
        return OpsPage.markdown();
    }
}
