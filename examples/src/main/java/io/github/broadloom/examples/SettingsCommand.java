package io.github.broadloom.examples;

import io.github.broadloom.exec.SettingsPage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class SettingsCommand implements Runnable {
    @Mixin
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // picocli makes it; the handler of errors asks for it
    private DebugOption debug;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().getOut().print(SettingsPage.markdown());
    }
}
