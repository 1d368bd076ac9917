package io.github.broadloom.format;

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

    /** The format of what lies there: of one that its name tells, where what lies there agrees, else of the first that recognizes it. */
    public static Optional<ArrayFormat> of(Store store) throws IOException {
        String name = store.name().toLowerCase(Locale.ROOT);
        Optional<ArrayFormat> any = Optional.empty();
        for (ArrayFormat format : ALL) {
            if (format.recognizes(store)) {
                if (format.suffixes().stream().anyMatch(name::endsWith)) {
                    return Optional.of(format);
                }
                any = any.isPresent() ? any : Optional.of(format);
            }
        }
        return any;
    }
}
