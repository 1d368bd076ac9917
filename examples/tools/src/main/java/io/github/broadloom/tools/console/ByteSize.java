package io.github.broadloom.tools.console;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of bytes as people write it: {@code 65536}, {@code 512k}, {@code 4m}, {@code 16MiB}, {@code 1g}. */
public record ByteSize(long bytes) {
    private static final Pattern FORM = Pattern.compile("(\\d+)\\s*(?:([kmgt])(?:i?b)?|b)?");
    private static final String UNITS = "kmgt";

    static ByteSize parse(String text) {
        Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "Cannot read '" + text + "' as a number of bytes; write it as 65536, 512k, 16MiB or 1g");
        }
        int power = form.group(2) == null ? 0 : 1 + UNITS.indexOf(form.group(2));
        try {
            long bytes = Math.multiplyExact(Long.parseLong(form.group(1)), 1L << (10 * power));
            if (bytes == 0) {
                throw new IllegalArgumentException("Cannot use 0 bytes; give at least 1");
            }
            return new ByteSize(bytes);
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("Cannot use '" + text + "': it is more than 2^63 bytes", e);
        }
    }

    /** Bytes in words, with one decimal from a kilobyte on: {@code 9.4 MB}. */
    public static String inWords(long bytes) {
        if (bytes < 1000) {
            return bytes + " bytes";
        }
        double value = bytes;
        int unit = -1;
        while (value >= 999.95 && unit < 4) {
            value /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %sB", value, "kMGTP".charAt(unit));
    }

    @Override
    public String toString() {
        return Long.toString(bytes);
    }

    public static final class Converter implements ITypeConverter<ByteSize> {
        @Override
        public ByteSize convert(String value) {
            try {
                return parse(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
