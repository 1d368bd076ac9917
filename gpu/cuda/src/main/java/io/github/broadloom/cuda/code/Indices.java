package io.github.broadloom.cuda.code;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/** The indices {@code i0}, {@code i1} and so on of the loops, from the outermost, out of a flat number. */
final class Indices {
    private Indices() {}

    /**
     * The declarations of the indices that a text uses.
     *
     * @param flat the name of the flat number
     * @param rank how many loops it counts through; the field {@code n1} has the iterations of loop 1 and so on
     * @param text what uses them
     */
    static void declare(CodeText code, String flat, int rank, String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder used = new StringBuilder(text);
        List<String> all = declarations(flat, rank);
        Collections.reverse(all);
        for (String line : all) {
            String name = line.substring("const u32 ".length(), line.indexOf(" ="));
            if (uses(used, name)) {
                lines.add(line);
                used.append(line.substring(line.indexOf('=')));
            }
        }
        Collections.reverse(lines);
        lines.forEach(code::line);
    }

    private static List<String> declarations(String flat, int rank) {
        List<String> lines = new ArrayList<>();
        String left = flat;
        for (int loop = rank - 1; loop > 0; loop--) {
            String quotient = loop == 1 ? "i0" : "q" + loop;
            lines.add("const u32 " + quotient + " = bl_quotient(" + left + ", p.n" + loop + ");");
            lines.add("const u32 i" + loop + " = " + left + " - " + quotient + " * p.n" + loop + ".divisor;");
            left = quotient;
        }
        if (rank == 1) {
            lines.add("const u32 i0 = " + flat + ";");
        }
        return lines;
    }

    private static boolean uses(CharSequence text, String name) {
        return Pattern.compile("\\b" + name + "\\b").matcher(text).find();
    }
}
