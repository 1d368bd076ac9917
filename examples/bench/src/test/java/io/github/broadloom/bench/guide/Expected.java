package io.github.broadloom.bench.guide;

import java.util.List;
import java.util.regex.Pattern;

/** Compares what came with what the page shows: the same lines, where {@code …} stands for anything, and alone in a line for any lines. */
final class Expected {
    private static final String ANYTHING = "…";

    private Expected() {}

    static boolean matches(List<String> expected, List<String> shown) {
        StringBuilder pattern = new StringBuilder();
        for (String line : expected) {
            pattern.append(line.strip().equals(ANYTHING) ? "(.*\n)*" : pattern(line) + "\n");
        }
        return Pattern.compile(pattern.toString())
                .matcher(shown.isEmpty() ? "" : String.join("\n", shown) + "\n")
                .matches();
    }

    private static String pattern(String line) {
        StringBuilder pattern = new StringBuilder();
        for (String part : line.stripTrailing().split("(?<=" + ANYTHING + ")|(?=" + ANYTHING + ")")) {
            pattern.append(part.equals(ANYTHING) ? ".*" : Pattern.quote(part));
        }
        return pattern.toString();
    }
}
