package io.github.broadloom.cuda.code;

import java.util.List;

/** Indices that are carried on from one element to the next, as the digits of a counter are. */
final class IndexCarry {
    private IndexCarry() {}

    /** Declares the indices that streams need, of the element whose flat number the text {@code flat} is. */
    static void declare(CodeText code, Loops loops, List<Integer> streams, String flat) {
        int outermost = outermost(loops, streams);
        String left = flat;
        for (int loop = loops.inner(); loop >= outermost; loop--) {
            if (loop == 0) {
                code.line("u32 i0 = %s;".formatted(left));
            } else if (loop == outermost && loop == loops.inner()) {
                code.line("u32 i%d = %s - bl_quotient(%s, p.n%d) * p.n%d.divisor;"
                        .formatted(loop, left, left, loop, loop));
            } else {
                code.line("const u32 q%d = bl_quotient(%s, p.n%d);".formatted(loop, left, loop));
                code.line("u32 i%d = %s - q%d * p.n%d.divisor;".formatted(loop, left, loop, loop));
                left = "q" + loop;
            }
        }
    }

    /** Goes on by one element. */
    static void advance(CodeText code, Loops loops, List<Integer> streams) {
        int outermost = outermost(loops, streams);
        int opened = 0;
        for (int loop = loops.inner(); loop >= outermost; loop--) {
            if (loop == 0) {
                code.line("i0++;");
            } else if (loop == outermost) {
                code.line("if (++i%d == p.n%d.divisor) i%d = 0;".formatted(loop, loop, loop));
            } else {
                code.open("if (++i%d == p.n%d.divisor)".formatted(loop, loop));
                code.line("i%d = 0;".formatted(loop));
                opened++;
            }
        }
        for (int i = 0; i < opened; i++) {
            code.close();
        }
    }

    /** The outermost loop in which one of the streams steps. */
    private static int outermost(Loops loops, List<Integer> streams) {
        for (int loop = 0; loop < loops.rank(); loop++) {
            int at = loop;
            if (streams.stream().anyMatch(k -> loops.strides()[k][at] != 0)) {
                return loop;
            }
        }
        return loops.inner();
    }
}
