package io.github.broadloom.bench.guide;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Splits a block into statements. Comments in the lines below a statement, or else the one in its line, are what comes of it; a comment before a
 * statement, or within one, is prose.
 */
final class Statements {
    private final String mark;
    private final Predicate<String> isComplete;

    /**
     * @param mark what begins a comment
     * @param isComplete whether the lines so far are a whole statement
     */
    Statements(String mark, Predicate<String> isComplete) {
        this.mark = mark;
        this.isComplete = isComplete;
    }

    List<Step> of(Block block) {
        List<Step> steps = new ArrayList<>();
        List<String> lines = block.lines();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).isBlank() || lines.get(i).strip().startsWith(mark)) {
                continue;
            }
            int start = i;
            StringBuilder source = new StringBuilder(code(lines.get(i)));
            while (!isComplete.test(source.toString())) {
                if (++i == lines.size()) {
                    throw new IllegalArgumentException((block.line() + start) + ": the statement has no end");
                }
                source.append('\n').append(code(lines.get(i)));
            }
            List<String> expected = new ArrayList<>();
            String own = comment(lines.get(i));
            while (i + 1 < lines.size() && lines.get(i + 1).startsWith(mark)) {
                expected.add(comment(lines.get(++i)));
            }
            if (expected.isEmpty() && !own.isEmpty()) {
                expected.add(own);
            }
            steps.add(new Step(block.line() + start, source.toString(), List.copyOf(expected)));
        }
        return steps;
    }

    private String code(String line) {
        int at = commentAt(line);
        return at < 0 ? line : line.substring(0, at).stripTrailing();
    }

    private String comment(String line) {
        int at = commentAt(line);
        if (at < 0) {
            return "";
        }
        String text = line.substring(at + mark.length());
        return (text.startsWith(" ") ? text.substring(1) : text).stripTrailing();
    }

    /** Where the comment begins: the first mark outside of quotes. */
    private int commentAt(String line) {
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote == 0 && line.startsWith(mark, i)) {
                return i;
            }
            if (quote == 0 ? c == '"' || c == '\'' : c == quote) {
                quote = quote == 0 ? c : 0;
            }
        }
        return -1;
    }
}
