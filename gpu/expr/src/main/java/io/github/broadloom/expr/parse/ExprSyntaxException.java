package io.github.broadloom.expr.parse;

/**
 * A string expression that cannot be read, or whose dtypes or shapes do not fit. The message is one sentence, then the
 * line of the expression, then a caret under the place.
 */
public final class ExprSyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String sentence;
    private final int position;

    ExprSyntaxException(String sentence, String text, int position) {
        super(message(sentence, text, position));
        this.sentence = sentence;
        this.position = position;
    }

    /** What is wrong, without the expression and the caret. */
    public String sentence() {
        return sentence;
    }

    /** Where, as an index into the text: 0 to its length. */
    public int position() {
        return position;
    }

    private static String message(String sentence, String text, int position) {
        int start = text.lastIndexOf('\n', position - 1) + 1;
        int end = text.indexOf('\n', position);
        String line = text.substring(start, end < 0 ? text.length() : end);
        return sentence + "\n    " + line.replace('\t', ' ').replace('\r', ' ') + "\n    "
                + " ".repeat(position - start) + "^";
    }
}
