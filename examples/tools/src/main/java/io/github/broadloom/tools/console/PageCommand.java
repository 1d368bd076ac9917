package io.github.broadloom.tools.console;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a page of the documentation that is made of the code. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class)
public abstract class PageCommand implements Runnable {
    @Mixin
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // picocli makes it; the handler of errors asks for it
    private DebugOption debug;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** The page, in Markdown. */
    public abstract String page();

    @Override
    public final void run() {
        spec.commandLine().getOut().print(page());
    }
}
