package io.github.broadloom.expr.parse;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cuts a string expression into tokens, by Python's lexical rules. */
final class ExprLexer {
    /** Operators of two characters stand before those of one. */
    private static final List<String> OPERATORS = List.of(
            "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "&", "|", "^", "~",
            "<", ">", "(", ")", "[", "]", ",", "...", ".", ":", "=", "@");

    enum Kind {
        NAME,
        NUMBER,
        TEXT,
        OPERATOR,
        END
    }

    /** A piece of the text from {@code start} on; a number has its value, a text its quotes. */
    record Token(
            Kind kind, String text, int start, @Nullable Number value) {
        boolean is(String operator) {
            return kind == Kind.OPERATOR && text.equals(operator);
        }

        boolean isName(String name) {
            return kind == Kind.NAME && text.equals(name);
        }
    }

    private final String text;
    private int at;

    private ExprLexer(String text) {
        this.text = text;
    }

    /** The tokens; the last one is the end. */
    static List<Token> tokens(String text) {
        ExprLexer lexer = new ExprLexer(text);
        List<Token> tokens = new ArrayList<>();
        do {
            tokens.add(lexer.next());
        } while (tokens.get(tokens.size() - 1).kind() != Kind.END);
        return tokens;
    }

    private Token next() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            return new Token(Kind.END, "", at, null);
        }
        char c = text.charAt(at);
        if (isDigit(at) || c == '.' && isDigit(at + 1)) {
            return number();
        }
        int start = at;
        if (isNameStart(c)) {
            skipName();
            return new Token(Kind.NAME, text.substring(start, at), start, null);
        }
        if (c == '\'' || c == '"') {
            return text(c);
        }
        for (String operator : OPERATORS) {
            if (text.startsWith(operator, at)) {
                at += operator.length();
                return new Token(Kind.OPERATOR, operator, start, null);
            }
        }
        String shown = new String(Character.toChars(text.codePointAt(at)));
        throw error("Cannot read the character '" + shown + "'; use names, numbers, operators and parentheses", at);
    }

    /** A text in quotes, as some arguments want it. */
    private Token text(char quote) {
        int start = at;
        int end = text.indexOf(quote, start + 1);
        if (end < 0) {
            throw error("Cannot read the text: " + quote + " was never closed; add " + quote, start);
        }
        at = end + 1;
        return new Token(Kind.TEXT, text.substring(start, at), start, null);
    }

    private Token number() {
        int start = at;
        int radix = radix();
        boolean real = false;
        if (radix != 10) {
            at += 2;
            skipName();
        } else {
            skipDigits();
            if (peek() == '.') {
                real = true;
                at++;
                skipDigits();
            }
            if (Character.toLowerCase(peek()) == 'e' && isExponent()) {
                real = true;
                at += 2;
                skipDigits();
            }
        }
        if (at < text.length() && (isNameStart(text.charAt(at)) || isDigit(at))) {
            skipName();
            throw unreadable(start);
        }
        String literal = text.substring(start, at);
        String digits = withoutUnderscores(literal, start);
        Number value = real ? Double.valueOf(digits) : (Number) integer(digits, radix, start);
        return new Token(Kind.NUMBER, literal, start, value);
    }

    private int radix() {
        if (text.charAt(at) != '0' || at + 1 >= text.length()) {
            return 10;
        }
        return switch (Character.toLowerCase(text.charAt(at + 1))) {
            case 'x' -> 16;
            case 'o' -> 8;
            case 'b' -> 2;
            default -> 10;
        };
    }

    /** A Long, or what passes 64 bits: its sign is not read yet. */
    private Number integer(String digits, int radix, int start) {
        if (radix == 10
                && digits.length() > 1
                && digits.charAt(0) == '0'
                && !digits.chars().allMatch(c -> c == '0')) {
            throw error(
                    "Cannot read the number '" + digits + "': a decimal integer has no leading zeros; write "
                            + digits.replaceFirst("^0+", ""),
                    start);
        }
        try {
            BigInteger value = new BigInteger(radix == 10 ? digits : digits.substring(2), radix);
            return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
        } catch (NumberFormatException e) {
            throw unreadable(start);
        }
    }

    /** Underscores may stand between two digits, and after the letter of a radix. */
    private String withoutUnderscores(String literal, int start) {
        for (int i = 0; i < literal.length(); i++) {
            if (literal.charAt(i) == '_') {
                boolean after = i > 0 && Character.isLetterOrDigit(literal.charAt(i - 1));
                boolean before = i + 1 < literal.length() && Character.isLetterOrDigit(literal.charAt(i + 1));
                if (!after || !before) {
                    throw unreadable(start);
                }
            }
        }
        return literal.replace("_", "");
    }

    private boolean isExponent() {
        int sign = at + 1 < text.length() && (text.charAt(at + 1) == '+' || text.charAt(at + 1) == '-') ? 1 : 0;
        return isDigit(at + 1 + sign);
    }

    private void skipDigits() {
        while (isDigit(at) || peek() == '_') {
            at++;
        }
    }

    private void skipName() {
        while (at < text.length() && (isNameStart(text.charAt(at)) || Character.isDigit(text.charAt(at)))) {
            at++;
        }
    }

    private static boolean isNameStart(char c) {
        return c == '_' || Character.isLetter(c);
    }

    private boolean isDigit(int index) {
        return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private ExprSyntaxException unreadable(int start) {
        return error(
                "Cannot read the number '" + text.substring(start, at) + "'; write one such as 10, 1_000, 0x1f,"
                        + " .5 or 1e-3",
                start);
    }

    private ExprSyntaxException error(String sentence, int position) {
        return new ExprSyntaxException(sentence, text, position);
    }
}
