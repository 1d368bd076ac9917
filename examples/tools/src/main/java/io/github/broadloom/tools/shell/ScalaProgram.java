package io.github.broadloom.tools.shell;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import scala.tools.nsc.interpreter.IMain;
import scala.tools.nsc.interpreter.Results;

/**
 * Scala, read line by line and run statement by statement. A statement runs when the next one begins, so that a line may begin with a dot, or end with an operator, as in a file
 * that is compiled; at a prompt either would be two statements. Where the guess joins two, they run one after the other.
 *
 * @param name for messages; empty for the input
 */
record ScalaProgram(String name, BufferedReader lines) {
    /** What a statement that looks complete goes on with. */
    private static final Pattern CONTINUATION = Pattern.compile("\\s*(\\.[^.\\d]|(else|catch|finally|yield)\\b).*");

    /** What goes on in the next line. */
    private static final Pattern UNFINISHED = Pattern.compile(".*[-+*/%&|^<>=!~]\\s*");

    private static final Pattern BLANK = Pattern.compile("\\s*(//.*)?");
    private static final Pattern QUIT = Pattern.compile("\\s*:q(uit)?\\s*");
    private static final Pattern COMMAND = Pattern.compile("\\s*:[a-z].*");

    static ScalaProgram of(String name, String text) {
        return new ScalaProgram(name, new BufferedReader(new StringReader(text)));
    }

    static ScalaProgram input(InputStream stream) {
        return new ScalaProgram("", new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8)));
    }

    /** Runs it up to its end, to {@code :quit}, or to the first statement that fails: then the report has told of it, and the answer is no. */
    boolean run(IMain scala, ScalaReport report) throws IOException {
        StringBuilder statement = new StringBuilder();
        int first = 1;
        int number = 0;
        boolean unfinished = false;
        @Nullable String line;
        while ((line = lines.readLine()) != null && !QUIT.matcher(line).matches()) {
            number++;
            boolean blank = BLANK.matcher(line).matches();
            if (!blank && !unfinished && !CONTINUATION.matcher(line).matches()) {
                report.at(name, first);
                if (scala.interpret(statement.toString()) != Results.Incomplete$.MODULE$) {
                    statement.setLength(0);
                    first = number;
                }
                if (report.failed() || refused(line, statement.isEmpty(), number, report)) {
                    return false;
                }
            }
            statement.append(line).append('\n');
            unfinished = blank ? unfinished : UNFINISHED.matcher(line).matches();
        }
        report.at(name, first);
        scala.interpretFinally(statement.toString());
        return !report.failed();
    }

    private boolean refused(String line, boolean beginsStatement, int number, ScalaReport report) {
        if (!beginsStatement || !COMMAND.matcher(line).matches()) {
            return false;
        }
        report.at(name, number);
        report.refuse("Cannot run the command '" + line.strip() + "' in a program: it may have :quit alone");
        return true;
    }
}
