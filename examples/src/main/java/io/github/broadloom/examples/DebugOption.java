package io.github.broadloom.examples;

import picocli.CommandLine.Option;

/** {@code --debug}, which every tool has. */
final class DebugOption {
    @Option(
            names = "--debug",
            description = "Show Spark's log and, after an error, where it came from (also: BROADLOOM_DEBUG=1).")
    private boolean debug;

    /** Whether logs and traces are wanted. */
    boolean on() {
        return debug || ErrorHandler.debugVariable();
    }
}
