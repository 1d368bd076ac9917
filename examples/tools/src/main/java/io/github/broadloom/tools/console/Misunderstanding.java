package io.github.broadloom.tools.console;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, in one sentence, and what was probably meant. */
final class Misunderstanding {
    /** The share of letter pairs that makes a guess worth saying; 1 is the same word. */
    private static final double LIKE = 0.5;

    private Misunderstanding() {}

    static String sentence(ParameterException wrong) {
        CommandLine line = wrong.getCommandLine();
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().get(0);
            if (unmatched.isUnknownOption()) {
                return "Unknown option: '" + word + "'"
                        + guess(word, line.getCommandSpec().optionsMap().keySet());
            }
            if (line.getParent() == null && DeveloperCommands.NAMES.contains(word)) {
                return "Cannot run " + word
                        + " here: it is for those who develop Broadloom, and not in this jar; start it"
                        + " in a checkout, as examples/run " + word;
            }
            if (line.getParent() == null) {
                Set<String> tools = line.getSubcommands().keySet();
                String guess = guess(word, tools);
                return "Cannot find the tool '" + word + "'" + guess + (guess.isEmpty() ? "; the" : " The")
                        + " tools are " + String.join(", ", tools);
            }
        }
        return String.valueOf(wrong.getMessage())
                .lines()
                .findFirst()
                .orElse("the options are not understood")
                .replaceFirst(" is not an? (int|long)$", " is not a whole number that fits")
                .replaceFirst(" is not a (double|float)$", " is not a number");
    }

    private static String guess(String word, Collection<String> candidates) {
        Optional<String> nearest = candidates.stream()
                .filter(candidate -> likeness(word, candidate) >= LIKE)
                .max((a, b) -> Double.compare(likeness(word, a), likeness(word, b)));
        return nearest.map(name -> "; did you mean '" + name + "'?").orElse("");
    }

    /** Dice's coefficient over pairs of neighbouring letters. */
    static double likeness(String a, String b) {
        List<String> ofA = pairs(a);
        List<String> ofB = new ArrayList<>(pairs(b));
        int total = ofA.size() + ofB.size();
        long shared = ofA.stream().filter(ofB::remove).count();
        return 2.0 * shared / total;
    }

    /** With the word's ends, so that a short word has some too. */
    private static List<String> pairs(String word) {
        String framed = " " + word + " ";
        return IntStream.range(0, framed.length() - 1)
                .mapToObj(i -> framed.substring(i, i + 2))
                .toList();
    }
}
