package io.github.broadloom.testkit.conformance;

/**
 * What became of one vector.
 *
 * @param vector the vector's id and where it stands
 * @param detail for a failure what was expected and what came; for a skipped vector the kind or op that is not known, or why the engine cannot have
 *     what it asks for
 */
public record Verdict(Outcome outcome, String vector, String detail) {
    public enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    private static final int LONGEST_LINE = 400;

    static Verdict passed(Vector vector) {
        return new Verdict(Outcome.PASSED, name(vector), "");
    }

    static Verdict skipped(Vector vector, String unknown) {
        return new Verdict(Outcome.SKIPPED, name(vector), unknown);
    }

    static Verdict failed(Vector vector, String expected, String got) {
        return new Verdict(Outcome.FAILED, name(vector), "  expected  " + cut(expected) + "\n  got       " + cut(got));
    }

    private static String name(Vector vector) {
        return vector.id().equals(vector.source()) ? vector.source() : vector.id() + " (" + vector.source() + ")";
    }

    private static String cut(String text) {
        String indented = text.replace("\n", "\n            ");
        return indented.length() <= LONGEST_LINE ? indented : indented.substring(0, LONGEST_LINE - 3) + "...";
    }

    @Override
    public String toString() {
        return outcome + " " + vector + (detail.isEmpty() ? "" : "\n" + detail);
    }
}
