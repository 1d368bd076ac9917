package io.github.broadloom.bench.guide;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs Python in a process, as its prompt does: what a statement prints, or its value. Blocks from one that imports a module that is not installed up to the next that
 * imports are passed over.
 */
final class PythonInterpreter implements Interpreter, AutoCloseable {
    private static final String INTERPRETER = System.getProperty("broadloom.python", "python3");
    private static final Pattern MODULE = Pattern.compile("import (\\w+)");
    private static final Pattern MISSING = Pattern.compile("No module named '(\\w+).*");
    private static final Statements STATEMENTS = new Statements("#", PythonInterpreter::isBalanced);

    /** Reads statements and writes what came of them, a line each, in base64. */
    private static final String LOOP = """
            import base64, contextlib, io, sys
            answers = sys.stdout
            names = {}
            for line in sys.stdin:
                source = base64.b64decode(line).decode()
                out = io.StringIO()
                try:
                    with contextlib.redirect_stdout(out):
                        try:
                            value = eval(compile(source, "page", "eval"), names)
                        except SyntaxError:
                            value = exec(compile(source, "page", "exec"), names)
                    answer = "+" + (out.getvalue() or ("" if value is None else repr(value)))
                except Exception as e:
                    answer = "-" + str(e)
                answers.write(base64.b64encode(answer.encode()).decode() + "\\n")
                answers.flush()
            """;

    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter statements;
    private final Set<String> missing = new TreeSet<>();
    private boolean isPassing;

    /** @throws IOException where there is no Python */
    PythonInterpreter() throws IOException {
        process = new ProcessBuilder(INTERPRETER, "-c", LOOP)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        answers = process.inputReader(UTF_8);
        statements = new PrintWriter(process.outputWriter(UTF_8), true);
    }

    private static boolean isBalanced(String source) {
        long open = source.chars().filter(c -> "([{".indexOf(c) >= 0).count();
        return open == source.chars().filter(c -> ")]}".indexOf(c) >= 0).count();
    }

    @Override
    public List<Step> steps(Block block) {
        return STATEMENTS.of(block);
    }

    @Override
    public Answer run(Step step) {
        Matcher imports = MODULE.matcher(step.source());
        boolean isImport = imports.lookingAt();
        if (isPassing && !isImport) {
            return Answer.NOTHING;
        }
        String answer = answer(step.source());
        Matcher module = MISSING.matcher(answer.substring(1));
        if (isImport && module.matches()) {
            missing.add(module.group(1));
            isPassing = true;
            return Answer.NOTHING;
        }
        isPassing &= isImport && missing.contains(imports.group(1));
        String text = answer.substring(1);
        return answer.charAt(0) == '+' ? Answer.value(text) : Answer.failure(text);
    }

    private String answer(String source) {
        statements.println(Base64.getEncoder().encodeToString(source.getBytes(UTF_8)));
        try {
            String line = answers.readLine();
            return line == null
                    ? "-" + INTERPRETER + " ended"
                    : new String(Base64.getDecoder().decode(line), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The modules that are not installed. */
    Set<String> missing() {
        return missing;
    }

    @Override
    public void close() {
        statements.close();
        process.destroy();
    }
}
