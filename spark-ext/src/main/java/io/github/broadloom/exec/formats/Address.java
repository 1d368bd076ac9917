package io.github.broadloom.exec.formats;

import io.github.broadloom.format.ArrayFormats;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where an array is: {@code PATH}, or {@code PATH:KEY} behind the end of a name by which a format is known, such as {@code store.zarr:temperature}.
 *
 * @param key empty where none is named
 */
public record Address(String path, String key) {
    private static final Pattern KEYED = Pattern.compile("(.+?(?:"
            + Stream.concat(
                            Stream.of(".npz"),
                            ArrayFormats.all().stream().flatMap(format -> format.suffixes().stream()))
                    .map(Pattern::quote)
                    .collect(Collectors.joining("|"))
            + ")/?):(.+)");

    public static Address of(String text) {
        Matcher keyed = KEYED.matcher(text);
        return keyed.matches() ? new Address(keyed.group(1), keyed.group(2)) : new Address(text, "");
    }
}
