package io.github.broadloom.cuda.code;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The indices of loops out of a flat number, as every kernel finds them: by dividing by the loops' sizes, from the innermost
 * on.
 *
 * @param type the type of an index
 * @param index what the name of an index begins with; behind it stands the number of its loop
 * @param size what the names of the fields with the loops' sizes begin with
 */
record Indices(String type, String index, String size) {
    /** The indices {@code i0}, {@code i1} and so on of a pointwise kernel. */
    static final Indices OF_ELEMENT = new Indices("u32", "i", "n");

    /** Declares the indices of a nest of loops that a text uses. */
    void declare(CodeText code, String flat, int rank, String text) {
        List<String> lines = declarations(flat, loops(0, rank));
        StringBuilder users = new StringBuilder(text);
        Deque<String> used = new ArrayDeque<>();
        for (int i = lines.size() - 1; i >= 0; i--) { // what is used stands before what uses it
            String name = lines.get(i).replaceAll(" =.*", "").replaceAll(".* ", "");
            if (Pattern.compile("\\b" + name + "\\b").matcher(users).find()) {
                used.addFirst(lines.get(i));
                users.append(lines.get(i));
            }
        }
        used.forEach(code::line);
    }

    static List<Integer> loops(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    /** Declares the indices of some loops, all of those that the flat number counts through. */
    List<String> declarations(String flat, List<Integer> loops) {
        return declarations(flat, loops, "const ");
    }

    private List<String> declarations(String flat, List<Integer> loops, String qualifier) {
        List<String> lines = remainders(flat, loops.subList(1, loops.size()), qualifier);
        String left = loops.size() == 1 ? flat : quotient(loops.get(1));
        lines.add("%s%s %s%d = %s;".formatted(qualifier, type, index, loops.get(0), left));
        return lines;
    }

    /** The indices of loops around which there are others. */
    private List<String> remainders(String flat, List<Integer> loops, String qualifier) {
        List<String> lines = new ArrayList<>();
        String left = flat;
        for (int i = loops.size() - 1; i >= 0; i--) {
            int loop = loops.get(i);
            String next = quotient(loop);
            lines.add("%s%s %s%d = %s %% p.%s%d;".formatted(qualifier, type, index, loop, left, size, loop));
            lines.add("const %s %s = %s / p.%s%d;".formatted(type, next, left, size, loop));
            left = next;
        }
        return lines;
    }

    private static String quotient(int loop) {
        return "q" + loop;
    }

    /** Declares the indices that streams need, which are {@linkplain #advance carried on} from one element to the next as the digits of a counter are. */
    void declareCarried(CodeText code, String flat, Loops loops, List<Integer> streams) {
        int outermost = outermost(loops, streams);
        List<Integer> needed = loops(outermost, loops.rank());
        List<String> lines = outermost == 0 ? declarations(flat, needed, "") : remainders(flat, needed, "");
        lines.subList(0, lines.size() - (outermost == 0 ? 0 : 1)).forEach(code::line);
    }

    void advance(CodeText code, Loops loops, List<Integer> streams) {
        int outermost = outermost(loops, streams);
        for (int loop = loops.inner(); loop >= outermost; loop--) {
            String own = index + loop;
            String end = "if (++%s == p.%s%d)".formatted(own, size, loop);
            if (loop == 0) {
                code.line(own + "++;");
            } else if (loop == outermost) {
                code.line(end + " " + own + " = 0;");
            } else {
                code.open(end);
                code.line(own + " = 0;");
            }
        }
        IntStream.range(outermost, loops.inner()).forEach(opened -> code.close());
    }

    /** The outermost loop in which one of the streams steps. */
    private static int outermost(Loops loops, List<Integer> streams) {
        return IntStream.range(0, loops.inner())
                .filter(loop -> streams.stream().anyMatch(k -> loops.strides()[k][loop] != 0))
                .findFirst()
                .orElse(loops.inner());
    }
}
