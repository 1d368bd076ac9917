package io.github.broadloom.cuda.code;

/** Lines of C, indented by their depth. */
final class CodeText {
    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();
    private int depth;

    CodeText line(String line) {
        text.append(INDENT.repeat(depth)).append(line).append('\n');
        return this;
    }

    CodeText open(String line) {
        line(line + " {");
        depth++;
        return this;
    }

    CodeText close() {
        depth--;
        return line("}");
    }

    CodeText unrolled(String index, int count) {
        line("#pragma unroll");
        return open("for (u32 " + index + " = 0; " + index + " < " + count + "; " + index + "++)");
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
