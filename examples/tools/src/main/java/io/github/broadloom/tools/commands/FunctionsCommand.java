package io.github.broadloom.tools.commands;

import io.github.broadloom.sql.FunctionsPage;
import io.github.broadloom.tools.console.PageCommand;
import picocli.CommandLine.Command;

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
        })
public final class FunctionsCommand extends PageCommand {
    @Override
    public String page() {
        return FunctionsPage.markdown();
    }
}
