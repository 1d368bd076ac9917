package io.github.broadloom.format;

import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The formats that there are. */
public final class ArrayFormats {
    private static final List<ArrayFormat> ALL =
            ServiceLoader.load(ArrayFormat.class, ArrayFormats.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .sorted(Comparator.comparing(ArrayFormat::name))
                    .toList();

    private static final int LISTED = 20;

    private ArrayFormats() {}

    public static List<ArrayFormat> all() {
        return ALL;
    }

    /** @throws IllegalArgumentException where there is none of that name, with those that there are */
    public static ArrayFormat of(String name) {
        return ALL.stream()
                .filter(format -> format.name().equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Cannot find format '" + name + "': there are "
                        + ALL.stream().map(ArrayFormat::name).collect(Collectors.joining(", "))));
    }

    /** The format that the end of a path names. */
    public static Optional<ArrayFormat> named(String path) {
        String file = path.replaceAll("/+$", "").toLowerCase(Locale.ROOT);
        return ALL.stream()
                .filter(format -> format.suffixes().stream().anyMatch(file::endsWith))
                .findFirst();
    }

    /** The format of what lies there: the one that its name tells, where what lies there agrees, else the first that recognizes it. */
    public static Optional<ArrayFormat> of(Store store) throws IOException {
        Optional<ArrayFormat> named = named(store.name());
        if (named.isPresent() && named.get().recognizes(store)) {
            return named;
        }
        for (ArrayFormat format : ALL) {
            if (format.recognizes(store)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    /** @throws TensorFormatException where nobody knows the format of what lies there */
    public static ArrayFormat known(Store store) throws IOException {
        return of(store)
                .orElseThrow(() -> TensorFormatException.cannotRead(
                        store.name(),
                        "it is of no known format ("
                                + ALL.stream().map(ArrayFormat::name).collect(Collectors.joining(", ")) + ")"));
    }

    /**
     * An array of what lies there.
     *
     * @param key empty for the only one
     * @throws TensorFormatException where nobody knows its format, or it holds several arrays and none is named
     */
    public static StoredArray open(Store store, String key) throws IOException {
        return open(known(store), store, key);
    }

    /** As {@link #open(Store, String)}, of a format that is known. */
    public static StoredArray open(ArrayFormat format, Store store, String key) throws IOException {
        if (!key.isEmpty()) {
            return format.open(store, key);
        }
        List<String> keys = format.keys(store);
        if (keys.size() != 1) {
            throw TensorFormatException.cannotRead(
                    store.name(),
                    keys.isEmpty()
                            ? "it holds no array"
                            : "it holds several arrays; name one as " + store.name() + ":KEY (it has "
                                    + keys.stream()
                                            .map(TensorFormatException::quoted)
                                            .limit(LISTED)
                                            .collect(Collectors.joining(", "))
                                    + (keys.size() > LISTED ? ", …)" : ")"));
        }
        return format.open(store, keys.get(0));
    }
}
