package io.github.broadloom.expr.parse;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Cuts a string expression into tokens, by Python's lexical rules. */
final class ExprLexer {
    /** Operators of two characters stand before those of one. */
    private static final List<String> OPERATORS = List.of(
            "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "&", "|", "^", "~",
            "<", ">", "(", ")", "[", "]", ",", "...", ".", ":", "=", "@");

    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{Nd}_]*+");

    /** In groups: the letter of a radix, the fraction, the exponent, and letters and digits behind. */
    private static final Pattern NUMBER =
            Pattern.compile("(?:0([xXoObB])|[0-9_]*+(\\.[0-9_]*+)?([eE][+-]?[0-9][0-9_]*+)?)([\\p{L}\\p{Nd}_]*+)");

    /** Underscores may stand between two digits, and after the letter of a radix. */
    private static final Pattern MISPLACED = Pattern.compile("(?<![\\p{L}\\p{Nd}])_|_(?![\\p{L}\\p{Nd}])");

    private static final Map<String, Integer> RADIXES = Map.of("x", 16, "o", 8, "b", 2);

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

        String unquoted() {
            return text.substring(1, text.length() - 1);
        }
    }

    private final String text;
    private int at;

    private ExprLexer(String text) {
        this.text = text;
    }

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
        Matcher name = NAME.matcher(text).region(at, text.length());
        if (name.lookingAt()) {
            at = name.end();
            return new Token(Kind.NAME, name.group(), start, null);
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
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        number.lookingAt();
        int start = at;
        at = number.end();
        String literal = number.group();
        String letter = number.group(1);
        boolean endsInName = letter == null && number.start(4) < number.end(4);
        if (endsInName || MISPLACED.matcher(literal).find()) {
            throw unreadable(start);
        }
        String digits = literal.replace("_", "");
        boolean real = number.group(2) != null || number.group(3) != null;
        int radix = letter == null ? 10 : RADIXES.getOrDefault(letter.toLowerCase(Locale.ROOT), 10);
        Number value = real ? Double.valueOf(digits) : (Number) integer(digits, radix, start);
        return new Token(Kind.NUMBER, literal, start, value);
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

    private boolean isDigit(int index) {
        return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
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
