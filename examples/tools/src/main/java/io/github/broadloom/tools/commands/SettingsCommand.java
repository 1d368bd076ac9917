package io.github.broadloom.tools.commands;

import io.github.broadloom.exec.SettingsPage;
import io.github.broadloom.tools.console.PageCommand;
import picocli.CommandLine.Command;

/** Prints the documentation page of all settings. */
@Command(
        name = "settings",
        header = "Prints the page of all settings, made of them: Markdown.",
        description = {"", "docs/configuration.md is what this prints; a test holds the two together.", ""},
        footer = {
            "",
            "Examples:",
            "  ${ROOT-COMMAND-NAME} settings | grep memory",
            "  ${ROOT-COMMAND-NAME} settings > docs/configuration.md"
        })
public final class SettingsCommand extends PageCommand {
    @Override
    public String page() {
        return SettingsPage.markdown();
    }
}
