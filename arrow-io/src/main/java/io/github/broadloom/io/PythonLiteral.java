package io.github.broadloom.io;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parser of the one kind of Python literal that opens a npy file: a dict of strings, integers, booleans, tuples and
 * lists. Nothing is evaluated. Python 2's spellings are understood, because old files have them: {@code 3L}, and
 * {@code u'text'}.
 *
 * <p>Strings become {@link String}, integers {@link Long}, booleans {@link Boolean}, {@code None} null, tuples
 * {@link Tuple} and lists {@link List}.
 */
final class PythonLiteral {
    /** Deeper nesting occurs in no dtype that NumPy writes, and must not exhaust the stack. */
    private static final int DEEPEST = 32;

    private final String text;
    private final String fileName;
    private int position;
    private int depth;

    private PythonLiteral(String text, String fileName) {
        this.text = text;
        this.fileName = fileName;
    }

    /** A Python tuple, which a shape has to be, where a list is not taken for one. */
    record Tuple(List<@Nullable Object> items) {}

    /** The dict that is the whole of {@code text}, in its own order; {@code fileName} is for the error messages. */
    static Map<String, @Nullable Object> parseDict(String text, String fileName) throws TensorFormatException {
        PythonLiteral parser = new PythonLiteral(text, fileName);
        Map<String, @Nullable Object> dict = parser.dict();
        parser.skipSpace();
        if (parser.position < text.length()) {
            throw parser.malformed("the end");
        }
        return dict;
    }

    private Map<String, @Nullable Object> dict() throws TensorFormatException {
        Map<String, @Nullable Object> dict = new LinkedHashMap<>();
        expect('{');
        while (!accept('}')) {
            skipSpace();
            int start = position;
            if (!(value() instanceof String key)) {
                position = start;
                throw malformed("a string as key");
            }
            expect(':');
            if (dict.containsKey(key)) {
                throw malformed("every key once, and '" + key + "' comes twice");
            }
            dict.put(key, value());
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        return dict;
    }

    private @Nullable Object value() throws TensorFormatException {
        skipSpace();
        char c = peek();
        if (c == '(' || c == '[') {
            return sequence(c);
        }
        if (c == '\'' || c == '"') {
            return string();
        }
        if ((c == 'u' || c == 'U') && position + 1 < text.length() && "'\"".indexOf(text.charAt(position + 1)) >= 0) {
            position++;
            return string();
        }
        if (c == '-' || c >= '0' && c <= '9') {
            return integer();
        }
        return switch (word()) {
            case "True" -> true;
            case "False" -> false;
            case "None" -> null;
            default -> throw malformed("a string, an integer, a tuple, a list, True, False or None");
        };
    }

    private Object sequence(char opening) throws TensorFormatException {
        if (++depth > DEEPEST) {
            throw malformed("at most " + DEEPEST + " nested brackets");
        }
        char closing = opening == '(' ? ')' : ']';
        List<@Nullable Object> items = new ArrayList<>();
        boolean commaSeen = false;
        expect(opening);
        while (!accept(closing)) {
            items.add(value());
            if (!accept(',')) {
                expect(closing);
                break;
            }
            commaSeen = true;
        }
        depth--;
        if (opening == '[') {
            return items;
        }
        // Parentheses round one value are just parentheses; the comma makes the tuple.
        Object only = items.size() == 1 && !commaSeen ? items.get(0) : null;
        return only != null ? only : new Tuple(items);
    }

    private String string() throws TensorFormatException {
        char quote = peek();
        int start = ++position;
        while (peek() != quote) {
            // Escapes occur in the field names of structured dtypes alone, whose text is never used.
            position += peek() == '\\' ? 2 : 1;
        }
        return text.substring(start, position++);
    }

    private Long integer() throws TensorFormatException {
        int start = position;
        if (peek() == '-') {
            position++;
        }
        while (position < text.length() && text.charAt(position) >= '0' && text.charAt(position) <= '9') {
            position++;
        }
        String digits = text.substring(start, position);
        if (position < text.length() && text.charAt(position) == 'L') {
            position++;
        }
        if (digits.equals("-")) {
            throw malformed("a digit");
        }
        try {
            return Long.valueOf(digits);
        } catch (NumberFormatException e) {
            throw TensorFormatException.cannotRead(
                    fileName,
                    "its npy header has a number of " + digits.length() + " digits, more than 64 bits can hold");
        }
    }

    private String word() {
        int end = position;
        while (end < text.length() && Character.isLetter(text.charAt(end))) {
            end++;
        }
        String word = text.substring(position, end);
        if (word.equals("True") || word.equals("False") || word.equals("None")) {
            position = end;
        }
        return word;
    }

    private void expect(char wanted) throws TensorFormatException {
        if (!accept(wanted)) {
            throw malformed("'" + wanted + "'");
        }
    }

    private boolean accept(char wanted) {
        skipSpace();
        if (position < text.length() && text.charAt(position) == wanted) {
            position++;
            return true;
        }
        return false;
    }

    private char peek() throws TensorFormatException {
        if (position >= text.length()) {
            throw malformed("more text");
        }
        return text.charAt(position);
    }

    private void skipSpace() {
        while (position < text.length() && " \t\r\n\f".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
    }

    private TensorFormatException malformed(String expected) {
        return TensorFormatException.cannotRead(
                fileName,
                "its npy header is malformed at character " + Math.min(position, text.length()) + ", where " + expected
                        + " should stand; the file is damaged");
    }
}
