package io.github.broadloom.exec;

import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The part files of a folder. */
final class Parts {
    private Parts() {}

    /**
     * The files {@code part-NNNNN.SUFFIX} by their numbers.
     *
     * @throws TensorFormatException where there is none, or one is missing between them
     */
    static List<Location> of(Location folder, String suffix) throws IOException {
        Pattern pattern = Pattern.compile("part-(\\d{5,})\\." + suffix);
        List<String> names = new ArrayList<>();
        for (Location.Entry entry : folder.list(name -> pattern.matcher(name).matches())) {
            names.add(entry.name());
        }
        if (names.isEmpty()) {
            throw new TensorFormatException("Cannot read " + folder.name() + ": it is a folder without part-NNNNN."
                    + suffix + " files; name a file, or a folder that Broadloom wrote");
        }
        names.sort(Comparator.comparing(name -> number(pattern, name)));
        List<Location> parts = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (number(pattern, names.get(i)) != i) {
                throw new TensorFormatException("Cannot read " + folder.name() + ": part " + i
                        + " is missing among its " + names.size() + " files");
            }
            parts.add(folder.child(names.get(i)));
        }
        return parts;
    }

    private static long number(Pattern pattern, String part) {
        Matcher matcher = pattern.matcher(part);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
    }
}
