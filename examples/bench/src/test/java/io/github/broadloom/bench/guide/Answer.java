package io.github.broadloom.bench.guide;

import java.util.List;

/**
 * What a statement did.
 *
 * @param shown what it printed or its value, in lines; the message where it failed
 * @param isPrinted whether a reader sees it without asking, so that the page must show it
 * @param isFailure whether it failed
 */
record Answer(List<String> shown, boolean isPrinted, boolean isFailure) {
    static final Answer NOTHING = new Answer(List.of(), false, false);

    static Answer printed(String text) {
        return new Answer(lines(text), !text.isBlank(), false);
    }

    static Answer value(String text) {
        return new Answer(lines(text), false, false);
    }

    static Answer failure(String message) {
        return new Answer(lines(message), true, true);
    }

    private static List<String> lines(String text) {
        return text.stripTrailing().lines().map(String::stripTrailing).toList();
    }
}
