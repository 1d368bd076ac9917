package io.github.broadloom.expr;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses which name was meant. */
public final class Names {
    private Names() {}

    /** A question after the nearest candidate, where one is near. */
    public static Optional<String> meant(String name, Collection<String> candidates) {
        return near(name, candidates).map(nearest -> "did you mean '" + nearest + "'?");
    }

    /** The candidate with the fewest edits, the first of several, where one is near. */
    public static Optional<String> near(String name, Collection<String> candidates) {
        return candidates.stream()
                .min(Comparator.comparingInt(candidate -> edits(name, candidate)))
                .filter(nearest -> isNear(name, nearest));
    }

    /** Whether a guess is near enough to be worth saying: one edit, or a third of the letters, but never all of them. */
    private static boolean isNear(String name, String guess) {
        int longest = Math.max(name.length(), guess.length());
        int edits = edits(name, guess);
        return edits < longest && edits <= Math.max(1, longest / 3);
    }

    /** Levenshtein's distance, one row at a time. */
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substitute, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
