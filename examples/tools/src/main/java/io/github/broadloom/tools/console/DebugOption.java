package io.github.broadloom.tools.console;

import picocli.CommandLine.Option;

/** {@code --debug}, which every tool has. */
public final class DebugOption {
    @Option(
            names = "--debug",
            description = "Show Spark's log and, after an error, where it came from (also: BROADLOOM_DEBUG=1).")
    private boolean debug;

    /** Whether logs and traces are wanted. */
    public boolean on() {
        return debug || ErrorHandler.debugVariable();
    }
}
