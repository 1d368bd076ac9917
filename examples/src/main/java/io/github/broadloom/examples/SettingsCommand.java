package io.github.broadloom.examples;

import io.github.broadloom.exec.SettingsPage;
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
final class SettingsCommand extends PageCommand {
    @Override
    String page() {
        return SettingsPage.markdown();
    }
}
