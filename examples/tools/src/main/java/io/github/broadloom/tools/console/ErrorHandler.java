package io.github.broadloom.tools.console;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns whatever goes wrong into one sentence on the error stream and an exit code; the trace is for {@code --debug}. */
public final class ErrorHandler implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final String DEBUG_VARIABLE = "BROADLOOM_DEBUG";
    private static volatile boolean interrupted;

    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine line = wrong.getCommandLine();
        String sentence = Misunderstanding.sentence(wrong);
        String help = line.getCommandSpec().qualifiedName();
        String told = sentence + (sentence.endsWith("?") ? " see '" : "; see '") + help + " --help'";
        return tell(
                line,
                wrong,
                new Complaint(told, Complaint.USERS),
                Arrays.asList(args).contains("--debug"));
    }

    @Override
    public int handleExecutionException(Exception wrong, CommandLine line, ParseResult parsed) {
        return tell(line, wrong, Complaint.about(wrong), debugs(parsed));
    }

    /** Complains of a class that is not on the class path, wherever it was wanted. */
    public int handleMissingClass(NoClassDefFoundError missing, CommandLine line, String... args) {
        return tell(line, missing, Complaint.about(missing), Arrays.asList(args).contains("--debug"));
    }

    private static boolean debugs(ParseResult parsed) {
        return parsed.hasMatchedOption("--debug") || (parsed.hasSubcommand() && debugs(parsed.subcommand()));
    }

    /** Marks that a signal ends this process: what fails from now on fails because of it, and is not worth telling. */
    public static void interrupted() {
        interrupted = true;
    }

    private static int tell(CommandLine line, Throwable wrong, Complaint complaint, boolean debugs) {
        PrintWriter err = line.getErr();
        err.println("broadloom: " + (interrupted ? "interrupted; nothing half written is left" : complaint.sentence()));
        if (debugs || debugVariable()) {
            wrong.printStackTrace(err);
            err.flush();
        }
        return complaint.exitCode();
    }

    /** Whether the environment asks for traces: {@code BROADLOOM_DEBUG} set to anything but 0, false or nothing. */
    static boolean debugVariable() {
        String value = System.getenv().getOrDefault(DEBUG_VARIABLE, "").toLowerCase(Locale.ROOT);
        return !value.isEmpty() && !value.equals("0") && !value.equals("false");
    }
}
