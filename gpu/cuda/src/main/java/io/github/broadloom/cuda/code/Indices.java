package io.github.broadloom.cuda.code;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The indices {@code i0}, {@code i1} and so on of the loops of a pointwise kernel, from the outermost, out of a flat number. The field {@code n1} has the
 * iterations of loop 1 and so on.
 */
final class Indices {
    private Indices() {}

    static void declare(CodeText code, String flat, int rank, String text) {
        if (rank == 1) {
            if (uses(text, "i0")) {
                code.line("const u32 i0 = " + flat + ";");
            }
            return;
        }
        String used = text;
        List<String> lines = new ArrayList<>();
        for (int loop = 1; loop < rank; loop++) {
            String quotient = loop == 1 ? "i0" : "q" + loop;
            String left = loop == rank - 1 ? flat : "q" + (loop + 1);
            String index = remainder(loop, left, quotient);
            if (uses(used, "i" + loop)) {
                lines.add(0, "const " + index);
                used += index;
            }
            if (uses(used, quotient)) {
                lines.add(0, quotient(loop, left, quotient));
                used += left;
            }
        }
        lines.forEach(code::line);
    }

    private static boolean uses(String text, String name) {
        return Pattern.compile("\\b" + name + "\\b").matcher(text).find();
    }

    private static String quotient(int loop, String left, String quotient) {
        return "const u32 %s = bl_quotient(%s, p.n%d);".formatted(quotient, left, loop);
    }

    private static String remainder(int loop, String left, String quotient) {
        return "u32 i%d = %s - %s * p.n%d.divisor;".formatted(loop, left, quotient, loop);
    }

    /** Declares the indices of some loops, all of those that the flat number counts through. */
    static void declare(CodeText code, String flat, List<Integer> loops) {
        String left = flat;
        for (int i = loops.size() - 1; i > 0; i--) {
            int loop = loops.get(i);
            String quotient = "q" + loop;
            code.line(quotient(loop, left, quotient));
            code.line("const " + remainder(loop, left, quotient));
            left = quotient;
        }
        code.line("const u32 i%d = %s;".formatted(loops.get(0), left));
    }

    /** Declares the indices that streams need, which are {@linkplain #advance carried on} from one element to the next as the digits of a counter are. */
    static void declareCarried(CodeText code, String flat, Loops loops, List<Integer> streams) {
        int outermost = outermost(loops, streams);
        String left = flat;
        for (int loop = loops.inner(); loop >= outermost; loop--) {
            if (loop == 0) {
                code.line("u32 i0 = %s;".formatted(left));
            } else if (loop == outermost && loop == loops.inner()) {
                code.line(remainder(loop, left, "bl_quotient(%s, p.n%d)".formatted(left, loop)));
            } else {
                String quotient = "q" + loop;
                code.line(quotient(loop, left, quotient));
                code.line(remainder(loop, left, quotient));
                left = quotient;
            }
        }
    }

    static void advance(CodeText code, Loops loops, List<Integer> streams) {
        int outermost = outermost(loops, streams);
        for (int loop = loops.inner(); loop >= outermost; loop--) {
            if (loop == 0) {
                code.line("i0++;");
            } else if (loop == outermost) {
                code.line("if (++i%d == p.n%d.divisor) i%d = 0;".formatted(loop, loop, loop));
            } else {
                code.open("if (++i%d == p.n%d.divisor)".formatted(loop, loop));
                code.line("i%d = 0;".formatted(loop));
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
