package io.github.broadloom.codegen.cuda;

/** Lines of C, indented by their depth. */
final class CodeText {
    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();
    private int depth;

    /** One line; {@code arguments} as in {@link String#format}. */
    CodeText line(String line, Object... arguments) {
        text.append(INDENT.repeat(depth))
                .append(arguments.length == 0 ? line : String.format(line, arguments))
                .append('\n');
        return this;
    }

    /** A line and the brace that it opens. */
    CodeText open(String line, Object... arguments) {
        line(line + " {", arguments);
        depth++;
        return this;
    }

    /** The brace that closes. */
    CodeText close() {
        depth--;
        return line("}");
    }

    /** A loop that the compiler unrolls. */
    CodeText unrolled(String index, int count) {
        line("#pragma unroll");
        return open("for (u32 %s = 0; %s < %d; %s++)", index, index, count, index);
    }

    CodeText blank() {
        text.append('\n');
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
