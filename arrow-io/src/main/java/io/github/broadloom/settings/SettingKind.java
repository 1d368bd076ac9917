package io.github.broadloom.settings;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the text of a setting may be.
 *
 * @param allowed in words, as the end of "give …"
 * @param reader the value of a text without blanks around it; throws {@link IllegalArgumentException} where there is none
 */
public record SettingKind<T>(String allowed, Function<String, T> reader) {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*([kmgtp]?)(?:i?b)?");
    private static final String UNITS = "kmgtp";

    /**
     * The value of a text.
     *
     * @param where it was said
     * @throws IllegalArgumentException naming that, and what is allowed
     */
    public T value(String where, String text) {
        try {
            return reader.apply(text.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Cannot use " + where + "=" + text + ": give " + allowed, e);
        }
    }

    /** A number of bytes, or a size with a unit as Spark writes it: {@code 512m}, {@code 2g}; units are powers of 1024. */
    public static SettingKind<Long> bytes() {
        return new SettingKind<>("bytes, or a size such as 512m or 2g", SettingKind::size);
    }

    /** As {@link #bytes()}, but not 0. */
    public static SettingKind<Long> positiveBytes() {
        return new SettingKind<>("at least one byte, or a size such as 512m or 2g", text -> positive(size(text)));
    }

    /** A whole number from 1 up. */
    public static SettingKind<Integer> count() {
        return new SettingKind<>("a whole number of at least 1", text -> (int) positive(Integer.parseInt(text)));
    }

    /** A time in whole seconds, from 0 up. */
    public static SettingKind<Long> seconds() {
        return new SettingKind<>("a whole number of seconds", text -> positive(Long.parseLong(text) + 1) - 1);
    }

    public static SettingKind<Boolean> flag() {
        return new SettingKind<>(
                "true or false", text -> oneOf(text, List.of("true", "false")).equals("true"));
    }

    /** One of some words, in any case. */
    public static SettingKind<String> words(String... words) {
        List<String> all = List.of(words);
        int last = all.size() - 1;
        return new SettingKind<>(
                String.join(", ", all.subList(0, last)) + " or " + all.get(last), text -> oneOf(text, all));
    }

    private static String oneOf(String text, List<String> words) {
        String word = text.toLowerCase(Locale.ROOT);
        if (!words.contains(word)) {
            throw new IllegalArgumentException(text);
        }
        return word;
    }

    private static long positive(long number) {
        if (number < 1) {
            throw new IllegalArgumentException(Long.toString(number));
        }
        return number;
    }

    private static long size(String text) {
        Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        String unit = matcher.group(2);
        int shift = unit.isEmpty() ? 0 : 10 * (UNITS.indexOf(unit) + 1);
        long number = Long.parseLong(matcher.group(1));
        return number > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : number << shift;
    }
}
