package io.github.broadloom.tools.console;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A program that {@code broadloom NAME} starts: the options that all of them have, and where it talks. Its usage text ends with examples. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        descriptionHeading = "%n",
        footerHeading = "%nExamples:%n")
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public abstract class Tool implements Callable<Integer> {
    @Option(
            names = "--debug",
            description = "Show Spark's log and, after an error, where it came from (also: BROADLOOM_DEBUG=1).")
    private boolean debug;

    @Spec
    private CommandSpec spec;

    public final String name() {
        return spec.name();
    }

    public final boolean debugs() {
        return debug || ErrorHandler.debugVariable();
    }

    protected final Console console() {
        return new Console(spec.commandLine().getOut());
    }

    /** Says on stderr what the user may want to know. */
    public final void note(String sentence) {
        err().println("broadloom: note: " + sentence);
    }

    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
