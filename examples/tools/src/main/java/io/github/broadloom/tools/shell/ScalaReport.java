package io.github.broadloom.tools.shell;

import io.github.broadloom.tools.console.Complaint;
import java.io.PrintWriter;
import java.util.Optional;
import scala.collection.immutable.List;
import scala.reflect.internal.Reporter.Severity;
import scala.reflect.internal.util.CodeAction;
import scala.reflect.internal.util.Position;
import scala.tools.nsc.Settings;
import scala.tools.nsc.interpreter.IMain;
import scala.tools.nsc.interpreter.shell.ReplReporterImpl;
import scala.util.Either;

/**
 * What the interpreter tells: results on the output, and what goes wrong on the error stream, with the line of the program. An exception that speaks of what the user gave is told in its
 * own sentence; of any other the trace is shown, as far as it is the user's.
 */
final class ScalaReport extends ReplReporterImpl {
    /** Characters of a result: more than any tensor takes. */
    private static final int LONGEST_RESULT = 20_000;

    private final PrintWriter err;
    private final boolean debug;
    private Optional<IMain> interpreter = Optional.empty();
    private Optional<String> place = Optional.empty();
    private int firstLine;
    private int exitCode;

    ScalaReport(Settings settings, PrintWriter out, PrintWriter err, boolean debug) {
        super(settings, out);
        this.err = err;
        this.debug = debug;
        maxPrintString_$eq(LONGEST_RESULT);
    }

    /** The interpreter that knows the last exception. */
    void attach(IMain attached) {
        interpreter = Optional.of(attached);
    }

    /** From now on a statement of a program is run, which begins at that line. */
    void at(String program, int line) {
        place = Optional.of(program.isEmpty() ? "line " : program + ":");
        firstLine = line;
        exitCode = 0;
    }

    void atPrompt() {
        place = Optional.empty();
    }

    /** Whether the statement that was announced last did not compile or threw. */
    boolean failed() {
        return exitCode != 0;
    }

    /** What the process should end with because of that statement. */
    int exitCode() {
        return exitCode;
    }

    void refuse(String sentence) {
        complain(1, sentence);
        exitCode = Complaint.USERS;
    }

    @Override
    public void printResult(Either<String, String> result) {
        if (result.isRight()) {
            super.printResult(result);
            return;
        }
        String trace = result.swap().getOrElse(() -> "");
        Optional<Complaint> complaint = lastException().map(Complaint::about);
        exitCode = complaint.map(Complaint::exitCode).orElse(Complaint.OURS);
        boolean told = exitCode == Complaint.USERS && !debug;
        complain(1, told ? complaint.orElseThrow().sentence() : trace.stripTrailing());
    }

    private Optional<Throwable> lastException() {
        return interpreter
                .map(each -> each.valueOfTerm("lastException"))
                .filter(value -> value.isDefined() && value.get() instanceof Throwable)
                .map(value -> (Throwable) value.get());
    }

    @Override
    public void doReport(Position position, String message, Severity severity, List<CodeAction> actions) {
        if (place.isEmpty()) {
            super.doReport(position, message, severity, actions);
            return;
        }
        boolean error = severity == ERROR();
        if (error) {
            exitCode = Complaint.USERS;
        }
        boolean known = position != null && position.isDefined();
        complain(known ? position.line() : 1, error ? message : clabel(severity) + message);
        if (known) {
            err.println("  " + position.lineContent().stripTrailing());
            err.println("  " + position.lineCaret());
        }
    }

    /** @param line of the statement, from one */
    private void complain(int line, String message) {
        String where = place.map(each -> each + (firstLine + line - 1) + ": ").orElse("");
        err.println("broadloom: " + where + message);
        err.flush();
    }
}
