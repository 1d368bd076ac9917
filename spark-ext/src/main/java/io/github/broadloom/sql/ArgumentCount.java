package io.github.broadloom.sql;

import java.util.List;

/** How many arguments a function of SQL takes. */
final class ArgumentCount {
    private ArgumentCount() {}

    /**
     * Refuses a call with fewer or more.
     *
     * @param function as the user calls it
     * @param names of all arguments
     * @param required of them at least
     * @param most of them, or more where the last may be repeated
     * @throws IllegalArgumentException naming the function and its arguments
     */
    static void check(String function, int given, List<String> names, int required, int most) {
        if (given >= required && given <= most) {
            return;
        }
        String wanted = names.isEmpty() ? "none" : names.size() + " (" + String.join(", ", names) + ")";
        throw new IllegalArgumentException(
                "Cannot call " + function + " with " + given + " argument" + (given == 1 ? "" : "s") + "; it takes "
                        + wanted + (required < names.size() ? ", of which the last may be left out" : ""));
    }
}
