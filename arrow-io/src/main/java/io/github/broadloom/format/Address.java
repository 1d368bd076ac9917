package io.github.broadloom.format;

import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where an array is: {@code PATH}, or {@code PATH:KEY} behind the end of a name by which a format is known, such as {@code store.zarr:temperature}.
 *
 * @param key empty where none is named
 */
public record Address(String path, String key) {
    private static final Pattern KEYED = Pattern.compile("(.+?(?:"
            + ArrayFormats.all().stream()
                    .flatMap(format -> format.suffixes().stream())
                    .map(Pattern::quote)
                    .collect(Collectors.joining("|"))
            + ")/?):(.+)");

    public static Address of(String text) {
        Matcher keyed = KEYED.matcher(text);
        return keyed.matches() ? new Address(keyed.group(1), keyed.group(2)) : new Address(text, "");
    }

    /** Whether a path means several files: it has one of Hadoop's {@code *}, {@code ?}, {@code [...]} and {@code {...}}. */
    public static boolean isPattern(String path) {
        return path.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0);
    }

    /** The key, or that name where there is none. */
    public String keyOr(String name) {
        return key.isEmpty() ? name : key;
    }

    /**
     * The array of a file or folder of this machine, of which nothing but what describes it is read.
     *
     * @throws TensorFormatException where nobody knows its format, it is damaged, or holds several arrays and none is named
     * @throws NoSuchFileException where there is nothing
     */
    public StoredArray open() throws IOException {
        Path file = Path.of(path);
        if (!Files.exists(file)) {
            throw new NoSuchFileException(path, null, "there is no such file or folder");
        }
        return ArrayFormats.open(LocalStore.of(file), key);
    }

    /** The array, whole; fails as {@link #open}. */
    public Tensor read() throws IOException {
        StoredArray array = open();
        return array.reader().read(Box.whole(array.shape()));
    }

    @Override
    public String toString() {
        return key.isEmpty() ? path : path + ":" + key;
    }
}
