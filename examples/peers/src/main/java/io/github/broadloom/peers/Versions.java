package io.github.broadloom.peers;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Versions of libraries whose jars do not tell theirs. */
final class Versions {
    private static final Pattern IN_NAME = Pattern.compile("-(\\d[^/]*)\\.jar$");

    private Versions() {}

    /** The version in the name of the jar that a class comes from. */
    static String of(Class<?> type) {
        Matcher name = IN_NAME.matcher(
                type.getProtectionDomain().getCodeSource().getLocation().getPath());
        return name.find() ? name.group(1) : "unknown";
    }
}
