package io.github.broadloom.bench.guide;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs {@code examples/run NAME …} in this JVM; a shell's quotes, and its backslash at the end of a line, mean what they mean there. */
final class ToolInterpreter implements Interpreter {
    private static final String COMMAND = "examples/run";
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");
    private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"");
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
        return ScalaInterpreter.tool(words.subList(1, words.size()).toArray(String[]::new));
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        for (Matcher word = WORD.matcher(line); word.find(); ) {
            words.add(QUOTED.matcher(word.group()).replaceAll(part -> Matcher.quoteReplacement(inside(part))));
        }
        return words;
    }

    private static String inside(MatchResult quoted) {
        return quoted.group().substring(1, quoted.group().length() - 1);
    }
}
