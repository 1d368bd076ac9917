package io.github.broadloom.expr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The letters of an Einstein sum, read by PyTorch's rules: where each dimension of each operand goes when they are all lined up, those of
 * the result first, then the summed ones.
 */
final class Subscripts {
    private static final int LETTERS = 26;

    /** Behind the capitals, 0 to 25, and the small letters. */
    private static final int ELLIPSIS = 2 * LETTERS;

    private final List<List<Integer>> operands;
    private final int[] ranks;
    private final int[] counts = new int[ELLIPSIS];
    private final int[] places = new int[ELLIPSIS];
    private int ellipsisRank;
    private int ellipsisPlace;
    private int outputRank;
    private int rank;

    private Subscripts(List<List<Integer>> operands, int[] ranks) {
        this.operands = operands;
        this.ranks = ranks;
        Arrays.fill(places, -1);
    }

    /**
     * Reads an equation.
     *
     * @param ranks of the operands
     * @throws IllegalArgumentException with PyTorch's text, for an equation that is none or does not suit the ranks
     */
    static Subscripts parse(String equation, int... ranks) {
        int arrow = equation.indexOf("->");
        String inputs = arrow < 0 ? equation : equation.substring(0, arrow);
        Subscripts subscripts = new Subscripts(operands(inputs, ranks.length), ranks);
        subscripts.count();
        if (arrow < 0) {
            subscripts.placeSingles();
        } else {
            subscripts.placeOutput(equation, arrow + 2);
        }
        return subscripts;
    }

    private static List<List<Integer>> operands(String text, int count) {
        List<List<Integer>> operands = new ArrayList<>();
        operands.add(new ArrayList<>());
        for (int i = 0; i < text.length(); i++) {
            List<Integer> labels = operands.get(operands.size() - 1);
            int operand = operands.size() - 1;
            switch (text.charAt(i)) {
                case ' ' -> {}
                case ',' -> {
                    ProductErrors.require(
                            operands.size() < count,
                            "einsum(): fewer operands were provided than specified in the equation");
                    operands.add(new ArrayList<>());
                }
                case '.' -> {
                    String found = "einsum(): found '.' for operand " + operand;
                    ProductErrors.require(
                            !labels.contains(ELLIPSIS), found + " for which an ellipsis was already found");
                    ProductErrors.require(text.startsWith("...", i), found + " that is not part of any ellipsis");
                    labels.add(ELLIPSIS);
                    i += 2;
                }
                default -> labels.add(label(text, i));
            }
        }
        ProductErrors.require(
                operands.size() == count, "einsum(): more operands were provided than specified in the equation");
        return operands;
    }

    private static int label(String text, int index) {
        char letter = text.charAt(index);
        boolean capital = letter >= 'A' && letter <= 'Z';
        ProductErrors.require(
                capital || letter >= 'a' && letter <= 'z',
                "einsum(): invalid subscript given at index " + index
                        + " in the equation string, subscripts must be in [a-zA-Z]");
        return capital ? letter - 'A' : letter - 'a' + LETTERS;
    }

    private static char letter(int label) {
        return (char) (label < LETTERS ? label + 'A' : label - LETTERS + 'a');
    }

    private void count() {
        for (int i = 0; i < ranks.length; i++) {
            List<Integer> labels = operands.get(i);
            boolean open = labels.contains(ELLIPSIS);
            int named = labels.size() - (open ? 1 : 0);
            labels.stream().filter(label -> label != ELLIPSIS).forEach(label -> counts[label]++);
            ellipsisRank = open ? Math.max(ellipsisRank, ranks[i] - named) : ellipsisRank;
            ProductErrors.require(
                    open ? named <= ranks[i] : named == ranks[i],
                    "einsum(): the number of subscripts in the equation (" + named
                            + (open
                                    ? ") is more than the number of dimensions ("
                                    : ") does not match the number of dimensions (")
                            + ranks[i] + ") for operand " + i + (open ? "" : " and no ellipsis was given"));
        }
    }

    /** The ellipsis and the labels that stand once are the result. */
    private void placeSingles() {
        rank = ellipsisRank;
        for (int label = 0; label < ELLIPSIS; label++) {
            if (counts[label] == 1) {
                places[label] = rank++;
            }
        }
        outputRank = rank;
        placeSummed();
    }

    private void placeOutput(String text, int from) {
        ellipsisPlace = -1;
        for (int i = from; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case ' ' -> {}
                case '.' -> {
                    String found = "einsum(): found '.' for output";
                    ProductErrors.require(ellipsisPlace < 0, found + " but an ellipsis (...) was already found");
                    ProductErrors.require(text.startsWith("...", i), found + " that is not part of any ellipsis (...)");
                    ellipsisPlace = rank;
                    rank += ellipsisRank;
                    i += 2;
                }
                default -> placeOutput(label(text, i));
            }
        }
        outputRank = rank;
        if (ellipsisPlace < 0) {
            ellipsisPlace = rank;
            rank += ellipsisRank;
        }
        placeSummed();
    }

    private void placeOutput(int label) {
        boolean again = places[label] >= 0;
        ProductErrors.require(
                counts[label] > 0 && !again,
                "einsum(): output subscript " + letter(label)
                        + (again
                                ? " appears more than once in the output"
                                : " does not appear in the equation for any input operand"));
        places[label] = rank++;
    }

    /** In the order in which they first appear: chunks of rows can then sum what the rows' own dimension stands for. */
    private void placeSummed() {
        for (List<Integer> labels : operands) {
            for (int label : labels) {
                if (label != ELLIPSIS && places[label] < 0) {
                    places[label] = rank++;
                }
            }
        }
    }

    int outputRank() {
        return outputRank;
    }

    /** How many dimensions there are, those of the result and the summed ones. */
    int rank() {
        return rank;
    }

    /** Where each dimension of an operand goes; several with one letter to the same place. */
    int[] places(int operand) {
        List<Integer> found = new ArrayList<>();
        List<Integer> labels = operands.get(operand);
        int covered = ranks[operand] - (labels.size() - 1);
        for (int label : labels) {
            if (label == ELLIPSIS) {
                for (int dim = ellipsisRank - covered; dim < ellipsisRank; dim++) {
                    found.add(ellipsisPlace + dim);
                }
            } else {
                found.add(places[label]);
            }
        }
        return Dims.array(found);
    }

    /** The letter behind a place, or a point where it is of the ellipsis. */
    char letterAt(int place) {
        for (int label = 0; label < ELLIPSIS; label++) {
            if (places[label] == place) {
                return letter(label);
            }
        }
        return '.';
    }
}
