package io.github.broadloom.examples.guide;

import io.github.broadloom.examples.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs {@code examples/run NAME …} in this JVM; a shell's quotes, and its backslash at the end of a line, mean what they mean there. */
final class ToolInterpreter implements Interpreter {
    private static final String COMMAND = "examples/run";
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");
    private static final Statements STATEMENTS = new Statements("#", source -> !source.endsWith("\\"));

    @Override
    public List<Step> steps(Block block) {
        return STATEMENTS.of(block);
    }

    @Override
    public Answer run(Step step) {
        List<String> words = words(step.source().replace("\\\n", " "));
        if (!words.get(0).equals(COMMAND)) {
            return Answer.failure("is not " + COMMAND + ": call the block console");
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(
                new PrintWriter(out),
                new PrintWriter(err),
                words.subList(1, words.size()).toArray(String[]::new));
        return code == 0 ? Answer.printed(out.toString()) : Answer.failure(err.toString());
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        for (Matcher matcher = WORD.matcher(line); matcher.find(); ) {
            words.add(matcher.group().replaceAll("['\"]", ""));
        }
        return words;
    }
}
